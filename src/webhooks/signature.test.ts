import { describe, expect, it } from "vitest";
import { buildSignatureHeaders, signBody } from "./signature.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("webhook signature", () => {
  it("the signature matches RFC 4231, test case 2", () => {
    expect(signBody(bytes("what do ya want for nothing?"), "Jefe")).toBe(
      "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
  });

  it("the signature is sent under the known and a neutral name, and not without a secret", () => {
    const signature = signBody(bytes("{}"), "s");
    expect(buildSignatureHeaders(bytes("{}"), "s")).toEqual({
      "x-firecrawl-signature": signature,
      "x-quarry-signature": signature,
    });
  });

  it("the signature changes with one byte of the body and with the secret", () => {
    const signatures = new Set([
      signBody(bytes("{}"), "a"),
      signBody(bytes("{} "), "a"),
      signBody(bytes("{}"), "b"),
    ]);
    expect(signatures.size).toBe(3);
  });
});
