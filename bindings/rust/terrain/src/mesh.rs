// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

use std::mem::{size_of, MaybeUninit};

use terrain_sys as sys;

use crate::context::{call, Context};
use crate::error::Result;
use crate::map::Map;

/// What a vertex's three numbers are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Axes {
    /// East, up, south: right-handed, as glTF, OpenGL and Bevy.
    #[default]
    YUp = 0,
    /// East, north, up: right-handed, as maps and Blender.
    ZUp = 1,
    /// East, up, north: left-handed, as Unity.
    YUpLeft = 2,
    /// East, south, up: left-handed, as Unreal.
    ZUpLeft = 3,
}

/// In which order a triangle's corners come, seen from above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Winding {
    /// The front of glTF, OpenGL and Bevy.
    #[default]
    Anticlockwise = 0,
    /// The front of Direct3D and Unity.
    Clockwise = 1,
}

/// Along which diagonal a square is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Diagonal {
    /// From its north-eastern to its south-western corner, all of them.
    #[default]
    Fixed = 0,
    /// Along that whose ends differ less in height.
    Flatter = 1,
}

/// How a mesh is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MeshOptions {
    /// The cells that become vertices: x and y of the first, in world cells, width and height. None: all of the map. A
    /// ring of one cell around it makes normals equal those of the neighbouring tiles.
    pub window: Option<(i64, i64, u32, u32)>,
    /// What the numbers are.
    pub axes: Axes,
    /// Which way triangles face.
    pub winding: Winding,
    /// How squares are cut.
    pub diagonal: Diagonal,
}

/// A vertex for each cell, row by row, and two triangles for each square of four: what [`Map::mesh`] makes, in the shape
/// that Bevy's `Mesh` and wgpu's buffers take.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// They begin at the window's first cell, not at the world's origin.
    pub positions: Vec<[f32; 3]>,
    /// Unit vectors at right angles to the surface.
    pub normals: Vec<[f32; 3]>,
    /// Three for each triangle.
    pub indices: Vec<u32>,
}

impl Map<'_> {
    /// The surface for a renderer.
    ///
    /// ```
    /// use terrain::{generate, MeshOptions};
    ///
    /// # fn main() -> terrain::Result<()> {
    /// let mut tile = terrain::Map::new(67, 67)?; // 65 x 65 vertices, and a ring around them
    /// tile.set_origin(-1, -1)?;
    /// generate::Noise::default().apply(&mut tile)?;
    /// let mesh = tile.mesh(&MeshOptions { window: Some((0, 0, 65, 65)), ..Default::default() })?;
    /// assert_eq!((mesh.positions.len(), mesh.indices.len()), (65 * 65, 6 * 64 * 64));
    /// # Ok(())
    /// # }
    /// ```
    pub fn mesh(&self, options: &MeshOptions) -> Result<Mesh> {
        self.mesh_on(&mut Context::new()?, options)
    }

    /// The same, with a context's threads.
    pub fn mesh_on(&self, context: &mut Context<'_>, options: &MeshOptions) -> Result<Mesh> {
        let mut desc = MaybeUninit::<sys::terrain_mesh_desc>::uninit();
        // SAFETY: the library initialises the desc, and says how large the buffers must be.
        unsafe {
            sys::terrain_mesh_desc_init(desc.as_mut_ptr(), size_of::<sys::terrain_mesh_desc>());
            let desc = &mut *desc.as_mut_ptr();
            if let Some((x, y, width, height)) = options.window {
                desc.window = sys::terrain_window { x, y, width, height };
            }
            desc.axes = options.axes as u32;
            desc.winding = options.winding as u32;
            desc.diagonal = options.diagonal as u32;
            let (mut vertices, mut count) = (0, 0);
            call(Some(&mut *context), |context| {
                sys::terrain_mesh_size(context, self.raw(), desc, &mut vertices, &mut count)
            })?;
            let mut mesh = Mesh {
                positions: vec![[0.0; 3]; vertices as usize],
                normals: vec![[0.0; 3]; vertices as usize],
                indices: vec![0; count as usize],
            };
            let (positions, normals) = (mesh.positions.as_mut_ptr().cast(), mesh.normals.as_mut_ptr().cast());
            call(Some(&mut *context), |context| sys::terrain_mesh_positions(context, self.raw(), desc, positions, 3))?;
            call(Some(&mut *context), |context| sys::terrain_mesh_normals(context, self.raw(), desc, normals, 3))?;
            let indices = mesh.indices.as_mut_ptr();
            call(Some(context), |context| sys::terrain_mesh_indices(context, self.raw(), desc, indices))?;
            Ok(mesh)
        }
    }
}
