// Node's own HTTP module. An import statement would read all of its names, and those of WebSockets
// load a second HTTP client: a tenth of the time until the server listens.
export const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");
