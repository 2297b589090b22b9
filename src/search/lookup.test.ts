import { expect, it } from "vitest";
import { toLookup } from "./lookup.ts";

const lookUp = (language: string) =>
  toLookup(
    { query: "houses", includeDomains: [], excludeDomains: [], categories: [], language },
    [],
  );

it("takes the language of a tag, and any text that is none", async () => {
  expect((await lookUp("en-GB"))?.words).toEqual(["houses", "hous"]);
  for (const language of ["constructor", "toString", "__proto__", "xx", ""])
    expect((await lookUp(language))?.words).toEqual(["houses"]);
});
