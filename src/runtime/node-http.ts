// Node's own HTTP module. An import statement reads each of its names, and those of WebSockets load
// a second HTTP client behind them: a tenth of the time until the server listens.
export const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");
