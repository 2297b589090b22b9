// 100,000 links, each of which is resolved, normalized and compared with the others.
import { buildMarkupTrap } from "../../families/markup-trap.ts";

export const markupLinks = buildMarkupTrap("markup-links", "very many links", (count) =>
  Array.from(
    { length: count },
    (_, index) => `<a href="/x/${index}?a=${index}">link ${index}</a> `,
  ).join(""),
);
