// Run as a program with a folder as its argument: makes a new embedded database there and ends. Making one needs several
// hundred megabytes that a running process would keep; this one gives them back.
import { createLogger } from "../../log.ts";
import { openEmbedded } from "./pglite.ts";

const [, , folder] = process.argv;
if (folder === undefined) throw new Error("usage: embedded-setup FOLDER");
const database = await openEmbedded(folder, createLogger("silent"));
await database.close();
