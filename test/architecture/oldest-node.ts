import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

export type FoundNode = { readonly file: string; readonly major: number };

/** The oldest Node on the machine's PATH that is 20 or later; the running one where there is no other. */
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
