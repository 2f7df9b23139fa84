// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

//! Compiles the library, as one file, and prints its operation table for the crate `terrain`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    let single = single_file(&here, &out);
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=c");

    library(&single, &here).compile("terrain");
    if env::var("CARGO_CFG_TARGET_FAMILY").as_deref() == Ok("unix") {
        // Android's threads are part of its C library.
        if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("android") {
            println!("cargo:rustc-link-lib=pthread");
        }
        println!("cargo:rustc-link-lib=m");
    }
    let table = print_table(&single, &here, &out);
    println!("cargo:table={}", table.display());
    println!("cargo:include={}", single.display());
}

/// The folder with terrain.c and terrain.h.
fn single_file(here: &Path, out: &Path) -> PathBuf {
    let shipped = here.join("single");
    if shipped.join("terrain.c").exists() {
        println!("cargo:rerun-if-changed=single");
        return shipped;
    }
    let root = here.join("../../..").canonicalize().unwrap();
    let mut sources = Vec::new();
    for folder in std::fs::read_dir(root.join("lib")).expect("neither single/ nor ../../../lib") {
        let folder = folder.unwrap().path();
        println!("cargo:rerun-if-changed={}", folder.display());
        if folder.is_dir() {
            let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
            sources.extend(files.filter(|file| file.extension().map_or(false, |end| end == "c")));
        }
    }
    for other in ["include/terrain", "packaging/single.py"] {
        println!("cargo:rerun-if-changed={}", root.join(other).display());
    }
    sources.sort();
    let made = out.join("single");
    let status = Command::new("python3")
        .arg(root.join("packaging/single.py"))
        .arg(&root)
        .arg(&made)
        .arg(env::var("CARGO_PKG_VERSION").unwrap())
        .args(sources)
        .status()
        .expect("python3, which makes the library one file");
    assert!(status.success(), "packaging/single.py failed");
    made
}

/// Optimised in debug builds too: nobody steps through erosion.
fn library(single: &Path, here: &Path) -> cc::Build {
    let mut build = cc::Build::new();
    build
        .file(single.join("terrain.c"))
        .file(here.join("c/layout.c"))
        .include(single)
        .std("c11")
        .opt_level(3)
        .debug(false)
        .warnings(false)
        .flag_if_supported("-ffp-contract=off")
        .flag_if_supported("-fno-fast-math")
        .flag_if_supported("-pthread");
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("x86_64") {
        build.define("TERRAIN_EVERY_ISA", None);
    }
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("x86") {
        // Both or neither: alone, the second gives a warning, which cc takes for a refusal.
        build.flag("-msse2").flag("-mfpmath=sse");
    }
    build
}

/// Runs c/table.c, by the host's compiler with the plain kernels where the target is another machine.
fn print_table(single: &Path, here: &Path, out: &Path) -> PathBuf {
    let host = env::var("HOST").unwrap();
    let program = out.join(format!("table{}", env::consts::EXE_SUFFIX));
    let mut build = cc::Build::new();
    build.target(&host).host(&host).opt_level(0).warnings(false).include(single);
    let mut command = build.get_compiler().to_command();
    command.arg(here.join("c/table.c")).arg("-o").arg(&program);
    if host == env::var("TARGET").unwrap() {
        command.arg(out.join("libterrain.a"));
    } else {
        command.arg("-ffp-contract=off").arg(single.join("terrain.c"));
    }
    command.args(["-lm", "-pthread"]);
    assert!(command.status().expect("a C compiler").success(), "c/table.c: {command:?}");
    let table = out.join("table.txt");
    let printed = Command::new(&program).output().expect("the table's program");
    assert!(printed.status.success());
    std::fs::write(&table, printed.stdout).unwrap();
    table
}
