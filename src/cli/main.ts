// Entry of the command line. Compiled code is cached before anything large is loaded: the second start is faster.
import { enableCompileCache } from "node:module";

enableCompileCache();
const { runProgram } = await import("./program.ts");
await runProgram(process.argv);
