// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Checks glTF files by the Khronos validator (npm package gltf-validator).
// Usage: node validate.cjs FILE...    exits with 77 where the package is missing
const childProcess = require('child_process');
const fs = require('fs');

// The package, from NODE_PATH or else among those that npm installed for all.
function load() {
  try {
    return require('gltf-validator');
  } catch (error) {
    const folder = childProcess.execSync('npm root -g', {stdio: ['ignore', 'pipe', 'ignore']});
    return require(folder.toString().trim() + '/gltf-validator');
  }
}

let validator;
try {
  validator = load();
} catch (error) {
  process.exit(77);
}
(async () => {
  for (const file of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
    for (const message of report.issues.messages) {
      if (message.severity > 1) continue;  // 0: error, 1: warning
      console.error(`${file}: ${message.code} ${message.pointer}: ${message.message}`);
      process.exitCode = 1;
    }
  }
})();
