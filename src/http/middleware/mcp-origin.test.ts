import { describe, expect, it } from "vitest";
import { checkMcpOrigin } from "./mcp-origin.ts";

const NONE = { publicUrl: undefined, mcpOrigins: [] };
const isRefused = (
  origin: string | undefined,
  host: string,
  settings: Parameters<typeof checkMcpOrigin>[1] = NONE,
): boolean => {
  try {
    checkMcpOrigin({ host, ...(origin === undefined ? {} : { origin }) }, settings);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: "FORBIDDEN" });
    return true;
  }
};

describe("the origin of callers of /mcp", () => {
  it("accepts programs, which send no Origin, under private names and the public URL's", () => {
    const publicUrl = "https://quarry.example";
    expect(isRefused(undefined, "quarry:3002")).toBe(false);
    expect(isRefused(undefined, "quarry.example", { publicUrl, mcpOrigins: [] })).toBe(false);
  });

  it("refuses a public name that is not the server's without Origin too, also if any page may call", () => {
    expect(isRefused(undefined, "evil.example:3002")).toBe(true);
    const settings = { publicUrl: undefined, mcpOrigins: ["*"] };
    expect(isRefused(undefined, "evil.example", settings)).toBe(true);
    expect(isRefused("http://evil.example", "evil.example", settings)).toBe(true);
  });

  it("accepts the origin of the request's own address and of the public URL, and no other", () => {
    expect(isRefused("http://127.0.0.1:3002", "127.0.0.1:3002")).toBe(false);
    expect(isRefused("http://localhost:3002", "localhost:3002")).toBe(false);
    expect(isRefused("http://[::1]:3002", "[::1]:3002")).toBe(false);
    expect(isRefused("http://localhost:5173", "localhost:3002")).toBe(true);
    expect(isRefused("https://evil.example", "127.0.0.1:3002")).toBe(true);
    expect(isRefused("null", "127.0.0.1:3002")).toBe(true);
    const settings = { publicUrl: "https://quarry.example/base/", mcpOrigins: [] };
    expect(isRefused("https://quarry.example", "127.0.0.1:3002", settings)).toBe(false);
    expect(isRefused("http://www.quarry.example", "quarry.example", settings)).toBe(true);
    expect(isRefused("http://nas.local:3002", "nas.local:3002")).toBe(false);
  });

  it("refuses a rebound name, whose page has the origin of the request's host", () => {
    expect(isRefused("http://evil.example:3002", "evil.example:3002")).toBe(true);
  });

  it("accepts listed origins, also of schemes without hosts on the web, and any with *", () => {
    const mcpOrigins = ["https://chat.example", "vscode-file://vscode-app"];
    const settings = { publicUrl: "https://a.example", mcpOrigins };
    expect(isRefused("https://chat.example", "a.example", settings)).toBe(false);
    expect(isRefused("vscode-file://vscode-app", "a.example", settings)).toBe(false);
    expect(isRefused("https://chat.example:8443", "a.example", settings)).toBe(true);
    expect(isRefused("vscode-file://other", "a.example", settings)).toBe(true);
    expect(isRefused("null", "a.example", settings)).toBe(true);
    expect(isRefused("https://b.example", "a.example", { ...settings, mcpOrigins: ["*"] })).toBe(
      false,
    );
  });
});
