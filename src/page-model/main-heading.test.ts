import { expect, it } from "vitest";
import { parseHtml } from "../html/parse/parse.ts";
import { PageModel } from "./page-model.ts";

function headingOf(html: string): string | undefined {
  const model = new PageModel(parseHtml(html));
  return model.heading === undefined ? undefined : model.lineOf(model.heading);
}

it("chooses the h1 that matches the title of the page", () => {
  expect(
    headingOf(
      "<title>Heron rowing boat, 12 m | Boat yard</title><main><h1>We use cookies</h1><h1>Heron rowing boat</h1><h1>Reviews</h1></main>",
    ),
  ).toBe("Heron rowing boat");
});

it("chooses the text that equals the title when no h1 matches it", () => {
  expect(
    headingOf(
      "<title>Lámpara Sol – Casa Luz</title><main><h1>Opiniones</h1><div><span>Lámpara Sol</span></div></main>",
    ),
  ).toBe("Lámpara Sol");
  expect(
    headingOf(
      '<meta property="og:title" content="手作り急須"><main><h1>お知らせ</h1><h2>手作り急須</h2></main>',
    ),
  ).toBe("手作り急須");
});

it("falls back to the first h1, then the first h2, when the title matches neither", () => {
  expect(headingOf("<title>Welcome</title><main><h2>Boats</h2><h1>Heron</h1></main>")).toBe(
    "Heron",
  );
  expect(headingOf("<main><h2>Boats</h2><h2>Oars</h2></main>")).toBe("Boats");
  expect(headingOf("<title>Boats</title><p>Nothing here</p>")).toBeUndefined();
});
