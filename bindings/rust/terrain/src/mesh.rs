// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

use std::fmt;
use std::mem::{size_of, MaybeUninit};

use terrain_sys as sys;

use crate::context::{call, Context};
use crate::error::{Error, Result, Status};
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

impl MeshOptions {
    fn desc(&self) -> sys::terrain_mesh_desc {
        let mut desc = MaybeUninit::uninit();
        // SAFETY: the library initialises the desc.
        let mut desc = unsafe {
            sys::terrain_mesh_desc_init(desc.as_mut_ptr(), size_of::<sys::terrain_mesh_desc>());
            desc.assume_init()
        };
        if let Some((x, y, width, height)) = self.window {
            desc.window = sys::terrain_window { x, y, width, height };
        }
        desc.axes = self.axes as u32;
        desc.winding = self.winding as u32;
        desc.diagonal = self.diagonal as u32;
        desc
    }
}

/// A vertex for each cell, row by row, and two triangles for each square of four: what [`Map::mesh`] makes, in the shape
/// that Bevy's `Mesh` and wgpu's buffers take.
#[derive(Clone, Default, PartialEq)]
pub struct Mesh {
    /// They begin at the window's first cell, not at the world's origin.
    pub positions: Vec<[f32; 3]>,
    /// Unit vectors at right angles to the surface.
    pub normals: Vec<[f32; 3]>,
    /// Three for each triangle.
    pub indices: Vec<u32>,
}

impl fmt::Debug for Mesh {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Mesh({} vertices, {} triangles)", self.positions.len(), self.indices.len() / 3)
    }
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
        let mut mesh = Mesh::default();
        self.mesh_into(context, options, &mut mesh)?;
        Ok(mesh)
    }

    /// The same, into the vectors of a mesh that was made before: where they are long enough, it takes no memory. After
    /// an error some of them may have been written.
    pub fn mesh_into(&self, context: &mut Context<'_>, options: &MeshOptions, mesh: &mut Mesh) -> Result<()> {
        let (vertices, indices) = self.mesh_size(options)?;
        mesh.positions.resize(vertices as usize, [0.0; 3]);
        mesh.normals.resize(vertices as usize, [0.0; 3]);
        mesh.indices.resize(indices as usize, 0);
        let (positions, normals) = (mesh.positions.as_mut_ptr().cast(), mesh.normals.as_mut_ptr().cast());
        let (desc, indices) = (options.desc(), mesh.indices.as_mut_ptr());
        // SAFETY: a valid map and desc, and buffers as large as the library says.
        call(Some(context), |context| unsafe {
            sys::terrain_mesh_positions(context, self.raw(), &desc, positions, 3)
        })?;
        call(Some(context), |context| unsafe { sys::terrain_mesh_normals(context, self.raw(), &desc, normals, 3) })?;
        call(Some(context), |context| unsafe { sys::terrain_mesh_indices(context, self.raw(), &desc, indices) })
    }

    /// The numbers of vertices and of indices that a mesh has, for buffers of your own.
    ///
    /// ```
    /// use terrain::{generate, Context, MeshOptions};
    ///
    /// # fn main() -> terrain::Result<()> {
    /// let (tile, options) = (generate::Noise::default().map(65, 65)?, MeshOptions::default());
    /// let (vertices, indices) = tile.mesh_size(&options)?;
    /// // Position, normal and two texture coordinates of each vertex side by side, as a vertex buffer of wgpu's has them.
    /// let mut buffer = vec![0.0_f32; 8 * vertices as usize];
    /// let mut triangles = vec![0_u32; indices as usize];
    /// let mut context = Context::new()?;
    /// tile.mesh_positions(&mut context, &options, &mut buffer, 8)?;
    /// tile.mesh_normals(&mut context, &options, &mut buffer[3..], 8)?;
    /// tile.mesh_indices(&mut context, &options, &mut triangles)?;
    /// # let mesh = tile.mesh(&options)?;
    /// # assert_eq!((&buffer[8..11], &buffer[11..14]), (&mesh.positions[1][..], &mesh.normals[1][..]));
    /// # assert_eq!(triangles, mesh.indices);
    /// # Ok(())
    /// # }
    /// ```
    pub fn mesh_size(&self, options: &MeshOptions) -> Result<(u32, u32)> {
        let (mut vertices, mut indices) = (0, 0);
        // SAFETY: a valid map and desc, and valid places.
        call(None, |context| unsafe {
            sys::terrain_mesh_size(context, self.raw(), &options.desc(), &mut vertices, &mut indices)
        })?;
        Ok((vertices, indices))
    }

    /// Writes the vertices' positions, which are `stride` floats apart, at least 3; what lies between is left alone. The
    /// buffer may end with the last vertex' three.
    pub fn mesh_positions(
        &self,
        context: &mut Context<'_>,
        options: &MeshOptions,
        buffer: &mut [f32],
        stride: usize,
    ) -> Result<()> {
        self.check_vertices(options, buffer.len(), stride)?;
        // SAFETY: a valid map and desc, and a buffer that is long enough.
        call(Some(context), |context| unsafe {
            sys::terrain_mesh_positions(context, self.raw(), &options.desc(), buffer.as_mut_ptr(), stride)
        })
    }

    /// Writes the vertices' normals, as [`mesh_positions`](Self::mesh_positions) writes positions.
    pub fn mesh_normals(
        &self,
        context: &mut Context<'_>,
        options: &MeshOptions,
        buffer: &mut [f32],
        stride: usize,
    ) -> Result<()> {
        self.check_vertices(options, buffer.len(), stride)?;
        // SAFETY: as above.
        call(Some(context), |context| unsafe {
            sys::terrain_mesh_normals(context, self.raw(), &options.desc(), buffer.as_mut_ptr(), stride)
        })
    }

    /// Writes the indices of the triangles at the buffer's beginning.
    pub fn mesh_indices(&self, context: &mut Context<'_>, options: &MeshOptions, buffer: &mut [u32]) -> Result<()> {
        let (_, indices) = self.mesh_size(options)?;
        check_length(buffer.len(), Some(indices as usize))?;
        // SAFETY: a valid map and desc, and a buffer that is long enough.
        call(Some(context), |context| unsafe {
            sys::terrain_mesh_indices(context, self.raw(), &options.desc(), buffer.as_mut_ptr())
        })
    }

    fn check_vertices(&self, options: &MeshOptions, length: usize, stride: usize) -> Result<()> {
        let (vertices, _) = self.mesh_size(options)?;
        check_length(length, (vertices as usize - 1).checked_mul(stride).and_then(|before| before.checked_add(3)))
    }
}

/// Whether a buffer has as many numbers as are needed; None: more than there can be.
fn check_length(length: usize, needed: Option<usize>) -> Result<()> {
    match needed {
        Some(needed) if needed <= length => Ok(()),
        Some(needed) => {
            Err(Error::new(Status::Argument, &format!("the buffer has {length} numbers, must have {needed}")))
        }
        None => Err(Error::new(Status::Argument, "the stride is too large")),
    }
}
