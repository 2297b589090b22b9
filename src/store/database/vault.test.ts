import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestConfig } from "../../config.ts";
import { Secret } from "../../settings/secret.ts";
import { createVault } from "./vault.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "quarry-vault-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const open = (secret?: string, previous?: string) =>
  createVault(
    createTestConfig({
      dataDir: folder,
      ...(secret === undefined ? {} : { secret: new Secret(secret) }),
      ...(previous === undefined ? {} : { previousSecret: new Secret(previous) }),
    }),
  );
const bytes = Buffer.from("cookie=secret");

test("sealed bytes are unreadable and the next process can open them", async () => {
  const sealed = await open().seal(bytes, "ada");
  expect(Buffer.from(sealed).includes("cookie")).toBe(false);
  expect(Buffer.from(await open().open(sealed, "ada"))).toEqual(bytes);
  expect(await open().seal(bytes, "ada")).not.toEqual(sealed);
});

test("the vault key is in a file that only this user may read unless it is configured", async () => {
  await open("given").seal(bytes, "ada");
  await expect(stat(path.join(folder, "secret"))).rejects.toThrow("ENOENT");
  await Promise.all([open().seal(bytes, "ada"), open().seal(bytes, "ada")]);
  expect((await stat(path.join(folder, "secret"))).mode & 0o777).toBe(0o600);
  expect((await readFile(path.join(folder, "secret"), "utf8")).length).toBe(64);
});

test("sealed bytes cannot be opened with another key, for another owner, or after a change", async () => {
  const sealed = await open("one").seal(bytes, "ada");
  await expect(open("two").open(sealed, "ada")).rejects.toThrow("QUARRY_SECRET");
  await expect(open("one").open(sealed, "eve")).rejects.toThrow("cannot be opened");
  const altered = Buffer.from(sealed);
  altered[altered.length - 1] = (altered[altered.length - 1] ?? 0) ^ 1;
  await expect(open("one").open(altered, "ada")).rejects.toThrow("cannot be opened");
});

test("bytes sealed with the data folder's secret can be opened after QUARRY_SECRET is set", async () => {
  const sealed = await open().seal(bytes, "ada");
  expect(Buffer.from(await open("given").open(sealed, "ada"))).toEqual(bytes);
  const newer = await open("given").seal(bytes, "ada");
  await expect(open().open(newer, "ada")).rejects.toThrow("QUARRY_SECRET");
});

test("bytes sealed with QUARRY_SECRET_PREVIOUS can be opened and are sealed anew with QUARRY_SECRET", async () => {
  const sealed = await open("one").seal(bytes, "ada");
  expect(Buffer.from(await open("two", "one").open(sealed, "ada"))).toEqual(bytes);
  const newer = await open("two", "one").seal(bytes, "ada");
  await expect(open("one").open(newer, "ada")).rejects.toThrow("QUARRY_SECRET");
  expect(await open("two", "one").fingerprints()).toEqual([
    ...(await open("two").fingerprints()),
    ...(await open("one").fingerprints()),
  ]);
});
