// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// A mesh with the picture on it, which the mouse turns, by WebGL 2.

const VERTEX = `#version 300 es
in vec3 position;
uniform mat4 camera;
uniform vec2 size;
out vec2 place;
void main() {
    place = (position.xz + 0.5) / size;
    gl_Position = camera * vec4(position, 1);
}`;
const FRAGMENT = `#version 300 es
precision mediump float;
in vec2 place;
uniform sampler2D picture;
out vec4 colour;
void main() { colour = texture(picture, place); }`;

function shaderOf(gl, type, source) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    return shader;
}

/** Row by row of the right one, column by column of the left: matrices stand by columns, as WebGL takes them. */
const product = (a, b) => Float32Array.from({ length: 16 }, (_, i) =>
    [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + i % 4] * b[4 * (i >> 2) + k], 0));

export class View3d {
    #gl;
    #program;
    #count = 0;
    #size = [1, 1];
    #middle = 0;
    #rise = 1;
    turn = 0.6;
    tilt = 0.65;
    distance = 1.5;

    /** Throws where there is no WebGL 2. */
    constructor(canvas) {
        const gl = canvas.getContext('webgl2', { antialias: true, preserveDrawingBuffer: true });
        if (gl === null) {
            throw new Error('this browser has no WebGL 2');
        }
        this.#gl = gl;
        this.begin();
    }

    /** What WebGL must have before it draws: again, where it has lost all. */
    begin() {
        const gl = this.#gl;
        this.#program = gl.createProgram();
        gl.attachShader(this.#program, shaderOf(gl, gl.VERTEX_SHADER, VERTEX));
        gl.attachShader(this.#program, shaderOf(gl, gl.FRAGMENT_SHADER, FRAGMENT));
        gl.linkProgram(this.#program);
        gl.useProgram(this.#program);
        gl.enable(gl.DEPTH_TEST);
        gl.clearColor(0.87, 0.9, 0.93, 1);
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
        const position = gl.getAttribLocation(this.#program, 'position');
        gl.enableVertexAttribArray(position);
        gl.vertexAttribPointer(position, 3, gl.FLOAT, false, 0, 0);
        gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    }

    /** A picture of the studio, with its mesh. */
    show({ width, height, pixels, mesh, fit, minimum, maximum }) {
        const gl = this.#gl;
        gl.bufferData(gl.ARRAY_BUFFER, mesh.positions, gl.STATIC_DRAW);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.indices, gl.STATIC_DRAW);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        gl.generateMipmap(gl.TEXTURE_2D);
        gl.uniform2f(gl.getUniformLocation(this.#program, 'size'), width, height);
        this.#count = mesh.indices.length;
        this.#size = [width, height];
        this.#middle = (minimum + maximum) / 2;
        this.#rise = Math.min(fit.exaggeration, 0.25 * width / (maximum - minimum || 1)); // no needles
        this.draw();
    }

    draw() {
        const gl = this.#gl, { width, height } = gl.canvas;
        gl.viewport(0, 0, width, height);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.uniformMatrix4fv(gl.getUniformLocation(this.#program, 'camera'), false, this.#camera(width / height));
        gl.drawElements(gl.TRIANGLES, this.#count, gl.UNSIGNED_INT, 0);
    }

    /** Of the mesh: its middle goes to the origin, it is turned, tilted, moved away and seen in perspective. */
    #camera(aspect) {
        const [width, height] = this.#size, unit = 1 / Math.max(width, height);
        const [ct, st, cp, sp] = [Math.cos(this.turn), Math.sin(this.turn), Math.cos(this.tilt), Math.sin(this.tilt)];
        const rise = unit * this.#rise;
        const model = [unit, 0, 0, 0, 0, rise, 0, 0, 0, 0, unit, 0,
            -unit * width / 2, -rise * this.#middle, -unit * height / 2, 1];
        const turned = [ct, 0, st, 0, 0, 1, 0, 0, -st, 0, ct, 0, 0, 0, 0, 1];
        const tilted = [1, 0, 0, 0, 0, cp, sp, 0, 0, -sp, cp, 0, 0, 0, -this.distance, 1];
        const near = 0.05, far = 10, focus = 1.8;
        const seen = [focus / aspect, 0, 0, 0, 0, focus, 0, 0, 0, 0, (near + far) / (near - far), -1,
            0, 0, 2 * near * far / (near - far), 0];
        return product(seen, product(tilted, product(turned, model)));
    }
}
