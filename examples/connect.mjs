// What all examples share: a client for the server that the environment names, and the address on the command line.
// In a project of your own this is `import { QuarryClient } from "@quarry/client"`.
import { QuarryClient } from "../client/index.ts";

export const client = new QuarryClient({
  apiUrl: process.env.QUARRY_URL ?? "http://127.0.0.1:3002",
  apiKey: process.env.QUARRY_API_KEY,
});

export const [url = "https://example.com/", ...rest] = process.argv.slice(2);
