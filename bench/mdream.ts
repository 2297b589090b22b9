// mdream, one of the tools that are measured beside ours. Its converter is native code, in a package of its own that npm
// leaves out where the Node it runs on is older than that package asks for.
import { readFileSync } from "node:fs";
import process from "node:process";
import { inspect } from "node:util";

type ToMarkdown = (html: string) => string;

function formatAdvice(nativePart: string): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { devDependencies } = JSON.parse(manifest) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  const wanted = `${nativePart}@${devDependencies["mdream"]}`;
  return `mdream is left out: npm did not install its native part. To measure it too: npm install --no-save ${wanted}\n`;
}

/** mdream's converter; undefined, with a line on standard error that says how to get it, where its native part is missing. */
export async function loadMdream(
  load: () => Promise<{ htmlToMarkdown: ToMarkdown }> = () => import("mdream"),
): Promise<ToMarkdown | undefined> {
  try {
    const { htmlToMarkdown } = await load();
    return (html) => htmlToMarkdown(html);
  } catch (error) {
    // Only its causes name the packages that were looked for, that of WebAssembly among them.
    const named = new RegExp(`@mdream/rust-${process.platform}-[\\w-]+`, "u");
    const nativePart = named.exec(inspect(error, { depth: Infinity }))?.[0];
    if (nativePart === undefined) throw error;
    process.stderr.write(formatAdvice(nativePart));
    return undefined;
  }
}
