# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""A recipe of the checkout that it lies in:

    conan create libterrain/packaging/conan
"""

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Terrain(ConanFile):
    name = "terrain"
    version = "0.1.0"
    description = "Procedural terrain: heightmaps, generators, erosion, blurs"
    license = "MIT"
    topics = ("terrain", "heightmap", "erosion", "noise", "procedural-generation")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    def configure(self):
        self.settings.rm_safe("compiler.libcxx")
        self.settings.rm_safe("compiler.cppstd")

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "include/*", "lib/*"):
            copy(self, pattern, src=root, dst=self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeToolchain(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["terrain"]
        self.cpp_info.set_property("cmake_file_name", "terrain")
        self.cpp_info.set_property("cmake_target_name", "terrain::terrain")
        kind = "shared" if self.options.shared else "static"
        self.cpp_info.set_property("cmake_target_aliases", [f"terrain::{kind}"])
        self.cpp_info.set_property("pkg_config_name", "terrain")
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread"]
