import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

export type FoundNode = { readonly file: string; readonly major: number };

/** The oldest Node of version 20 or later on the PATH; otherwise the running one. */
export async function findOldestNode(): Promise<FoundNode> {
  let oldest = { file: process.execPath, major: Number(process.versions.node.split(".")[0]) };
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    const file = path.join(folder, process.platform === "win32" ? "node.exe" : "node");
    const version = await promisify(execFile)(file, ["--version"]).then(
      ({ stdout }) => /^v(\d+)\./.exec(stdout)?.[1],
      () => undefined,
    );
    const major = Number(version ?? Number.NaN);
    if (major >= 20 && major < oldest.major) oldest = { file, major };
  }
  return oldest;
}
