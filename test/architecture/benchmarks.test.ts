import process from "node:process";
import { expect, test, vi } from "vitest";
import { loadMdream } from "../../bench/mdream.ts";

const cannotFind = (name: string, cause?: unknown): Error =>
  new Error(`Cannot find module '${name}'`, { cause });

test("a missing native package is reported in one line with how to install it", async () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const part = `@mdream/rust-${process.platform}-x64-gnu`;
  const deep = cannotFind("./wasm", cannotFind("@mdream/rust-wasm32-wasi", cannotFind(part)));
  const loaded = await loadMdream(() => Promise.reject(new Error("no binding", { cause: deep })));
  const said = write.mock.calls.join("");
  write.mockRestore();

  expect(loaded).toBeUndefined();
  expect(said).toMatch(/^mdream is left out: .*\n$/u);
  expect(said).toContain(`npm install --no-save ${part}@`);
});

test("other mdream errors are reported unchanged", async () => {
  const fault = new Error("something else");

  await expect(loadMdream(() => Promise.reject(fault))).rejects.toBe(fault);
});
