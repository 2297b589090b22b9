// A file of this machine as Markdown: PDF, office files, pictures and more (docs/documents.md).
import { readFile } from "node:fs/promises";
import path from "node:path";
import { client } from "./connect.mjs";

const [file] = process.argv.slice(2);
if (!file) throw new Error("which file? node examples/parse.mjs FILE");
const document = await client.parse(
  { filename: path.basename(file), data: await readFile(file) },
  { formats: ["markdown"], parsers: [{ type: "pdf", mode: "auto" }] },
);
if (document.metadata.numPages) console.log(`${document.metadata.numPages} pages`);
console.log(document.markdown);
if (document.warning) console.error(`warning: ${document.warning}`);
