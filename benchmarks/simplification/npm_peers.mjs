// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Simplifies PLY files with npm's meshoptimizer (WebAssembly, newer than Debian's) and measures the
// results with mesh_distance; appends rows to a result of simplification_peers.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = `usage: node npm_peers.mjs MESH.ply... --measure MESH_DISTANCE --append-to RESULT.json
         [--ratios 50,10,1] [--repeat N] [--samples N]
Meshes are binary little-endian PLY files of triangles with float x, y, z alone, as
"simplification_peers --write FOLDER" writes them. RESULT.json is what simplification_peers printed.
`;

function fail(message, status = 1) {
  process.stderr.write(`${message}\n`);
  process.exit(status);
}

/// Loads the peer, or says how to install it.
async function loadPeer() {
  try {
    const { MeshoptSimplifier } = await import('meshoptimizer');
    await MeshoptSimplifier.ready;
    const main = createRequire(import.meta.url).resolve('meshoptimizer');
    const { version } = JSON.parse(readFileSync(join(main, '..', 'package.json'), 'utf8'));
    return { simplifier: MeshoptSimplifier, version };
  } catch (error) {
    return fail('npm_peers: npm\'s meshoptimizer is missing; install it with\n' +
        '  npm install --no-package-lock --prefix benchmarks/simplification\n' +
        `(${error.message})`);
  }
}

/// Reads a mesh: {positions: x y z a vertex, indices: 3 a triangle}.
function readPly(path) {
  const bytes = readFileSync(path);
  const end = bytes.indexOf('end_header\n') + 'end_header\n'.length;
  const header = bytes.subarray(0, end).toString('latin1');
  const expected = new RegExp('^ply\nformat binary_little_endian 1.0\n(?:comment.*\n)*' +
      'element vertex (\\d+)\nproperty float x\nproperty float y\nproperty float z\n' +
      'element face (\\d+)\nproperty list uchar u?int vertex_ind(?:ices|ex)\nend_header\n$');
  const found = header.match(expected);
  if (!found) fail(`npm_peers: ${path}: not the kind of PLY file that the usage describes`);
  const [vertices, triangles] = [Number(found[1]), Number(found[2])];
  const positions = new Float32Array(3 * vertices);
  for (let i = 0; i < positions.length; ++i) positions[i] = bytes.readFloatLE(end + 4 * i);
  const indices = new Uint32Array(3 * triangles);
  const faces = end + 12 * vertices;
  for (let t = 0; t < triangles; ++t) {
    if (bytes[faces + 13 * t] !== 3) fail(`npm_peers: ${path}: face ${t} is no triangle`);
    for (let k = 0; k < 3; ++k) {
      indices[3 * t + k] = bytes.readUInt32LE(faces + 13 * t + 1 + 4 * k);
    }
  }
  return { positions, indices };
}

function writePly(path, { positions, indices }) {
  const header = Buffer.from('ply\nformat binary_little_endian 1.0\n' +
      `element vertex ${positions.length / 3}\n` +
      'property float x\nproperty float y\nproperty float z\n' +
      `element face ${indices.length / 3}\nproperty list uchar int vertex_indices\nend_header\n`);
  const body = Buffer.alloc(4 * positions.length + 13 * (indices.length / 3));
  positions.forEach((value, i) => body.writeFloatLE(value, 4 * i));
  for (let t = 0; t < indices.length / 3; ++t) {
    const at = 4 * positions.length + 13 * t;
    body[at] = 3;
    for (let k = 0; k < 3; ++k) body.writeUInt32LE(indices[3 * t + k], at + 1 + 4 * k);
  }
  writeFileSync(path, Buffer.concat([header, body]));
}

// Only the target limits the peer: the greatest error allows any.
const ANY_ERROR = 3e38;

/// The peer's ways: each takes a mesh and the wanted number of indices, and returns a mesh. The
/// copies for simplifyWithUpdate, which changes its input, are made outside the timed part.
const METHODS = {
  meshopt_simplify: (peer, { positions, indices }, target) => ({
    positions,
    indices: peer.simplify(indices, positions, 3, target, ANY_ERROR)[0],
  }),
  meshopt_simplifyWithUpdate: (peer, { positions, indices }, target) => {
    const [count] = peer.simplifyWithUpdate(
        indices, positions, 3, new Float32Array(0), 0, [], null, target, ANY_ERROR);
    return { positions, indices: indices.subarray(0, count) };
  },
  meshopt_simplifySloppy: (peer, { positions, indices }, target) => ({
    positions,
    indices: peer.simplifySloppy(indices, positions, 3, null, target, ANY_ERROR)[0],
  }),
};

/// The result of a method, and the least processor time of some runs, in milliseconds.
function bestOf(repeat, method, peer, mesh, target) {
  let milliseconds = Infinity;
  let result;
  for (let run = 0; run < repeat; ++run) {
    const copy = { positions: mesh.positions.slice(), indices: mesh.indices.slice() };
    const before = process.cpuUsage();
    result = method(peer, copy, target);
    const { user, system } = process.cpuUsage(before);
    milliseconds = Math.min(milliseconds, (user + system) * 1e-3);
  }
  return { result, milliseconds };
}

function rowsOf(path, options, { simplifier, version }, folder) {
  const rows = [];
  const mesh = readPly(path);
  const triangles = mesh.indices.length / 3;
  for (const ratio of options.ratios.split(',').map(Number)) {
    const target = Math.floor(triangles * ratio / 100);
    for (const [name, method] of Object.entries(METHODS)) {
      const { result, milliseconds } =
          bestOf(Number(options.repeat), method, simplifier, mesh, 3 * target);
      const row = {
        mesh: basename(path, '.ply'), method: name, version: `${version} (npm, WebAssembly)`,
        ratio_percent: ratio, target, milliseconds,
        mtriangles_per_second: Number((triangles / milliseconds * 1e-3).toPrecision(4)),
        original_triangles: triangles, triangles: result.indices.length / 3,
      };
      if (result.indices.length > 0) {
        const simplified = join(folder, 'simplified.ply');
        writePly(simplified, result);
        const { command, ...measured } = JSON.parse(execFileSync(
            options.measure, [path, simplified, '--samples', options.samples], { encoding: 'utf8' }));
        Object.assign(row, measured);
      }
      rows.push(row);
    }
  }
  return rows;
}

/// A result as text, a row a line.
function toText({ rows, ...head }) {
  const lines = Object.entries(head).map(
      ([name, value]) => ` ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`);
  return `{\n${lines.join('')} "rows": [\n${
      rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n ]\n}\n`;
}

async function main() {
  const { values: options, positionals: paths } = parseArgs({
    allowPositionals: true,
    options: {
      'measure': { type: 'string' },
      'append-to': { type: 'string' },
      'ratios': { type: 'string', default: '50,10,1' },
      'repeat': { type: 'string', default: '5' },
      'samples': { type: 'string', default: '300000' },
    },
  });
  if (paths.length === 0 || !options.measure || !options['append-to']) fail(USAGE, 2);
  const peer = await loadPeer();
  const result = JSON.parse(readFileSync(options['append-to'], 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'npm-peers-'));
  try {
    for (const path of paths) result.rows.push(...rowsOf(path, options, peer, folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
  result.commands.push(`node npm_peers.mjs ${paths.map((path) => basename(path)).join(' ')} ` +
      `--ratios ${options.ratios} --repeat ${options.repeat} --samples ${options.samples} ` +
      '--measure mesh_distance --append-to simplification-peers.json');
  writeFileSync(options['append-to'], toText(result));
}

await main();
