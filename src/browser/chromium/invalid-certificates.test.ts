import { expect, it } from "vitest";
import { InvalidCertificates } from "./invalid-certificates.ts";

const received = (frameId: string, securityState: string, rest: object = {}) => ({
  method: "Network.responseReceived",
  params: {
    type: "Document",
    frameId,
    response: { url: "https://site.example/", securityState },
    ...rest,
  },
});

it("knows the frames whose last document had an invalid certificate", () => {
  const invalid = new InvalidCertificates();
  invalid.record(received("main", "insecure"));
  invalid.record(received("frame", "secure"));
  expect([invalid.has("main"), invalid.has("frame")]).toEqual([true, false]);
  invalid.record(received("main", "secure"));
  expect(invalid.has("main")).toBe(false);
});

it("ignores plain HTTP, and files of a document", () => {
  const invalid = new InvalidCertificates();
  invalid.record(
    received("plain", "insecure", {
      response: { url: "http://site.example/", securityState: "insecure" },
    }),
  );
  invalid.record(received("script", "insecure", { type: "Script" }));
  invalid.record({ method: "Page.loadEventFired", params: {} });
  expect([invalid.has("plain"), invalid.has("script")]).toEqual([false, false]);
});

it("forgets the oldest of many frames", () => {
  const invalid = new InvalidCertificates();
  for (let at = 0; at <= 1_000; at++) invalid.record(received(`frame ${at}`, "insecure"));
  expect([invalid.has("frame 0"), invalid.has("frame 1")]).toEqual([false, true]);
});
