import { expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const curatorsOf = (body: string): unknown =>
  draftPage(
    `<!doctype html><html><head><title>Tides</title></head><body><main><h1>Tides</h1>${body}</main></body></html>`,
    {
      type: "object",
      properties: { curators: { type: "array", items: { type: "string" } } },
    },
  ).value ?? {};

test.each([
  [
    "<h2>Commissariat</h2><p>Solène Arquevaux, conservatrice en chef<br>Wouter Dijkhuis, historien</p>",
  ],
  ["<dl><dt>Curators</dt><dd>Solène Arquevaux, Wouter Dijkhuis</dd></dl>"],
])("reads the names of curators without what they are: %s", (body) => {
  expect(curatorsOf(body)).toEqual({ curators: ["Solène Arquevaux", "Wouter Dijkhuis"] });
});
