// The compiled interpreter, one for all threads: it stays compiled and optimized when they end.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A WebAssembly.Module, which the types of Node do not declare. */
export type Machine = object;

declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => Machine };

let machine: Machine | undefined;

/** Compiles QuickJS at the first call, which takes about 10 ms. */
export function compileMachine(): Machine {
  machine ??= new WebAssembly.Module(
    readFileSync(fileURLToPath(import.meta.resolve("@jitl/quickjs-ng-wasmfile-release-sync/wasm"))),
  );
  return machine;
}
