// Entry point of the command line. Enables the compile cache before loading large modules, which
// speeds up later starts.
import { enableCompileCache } from "node:module";

enableCompileCache();
const { runProgram } = await import("./program.ts");
await runProgram(process.argv);
