// A program that creates a new embedded database in the folder given as argument. Creation needs
// several hundred megabytes that a long-running process would retain.
import { createLogger } from "../../logger.ts";
import { openEmbedded } from "./pglite.ts";

const [, , folder] = process.argv;
if (folder === undefined) throw new Error("usage: embedded-setup FOLDER");
const database = await openEmbedded(folder, createLogger("silent"));
await database.close();
