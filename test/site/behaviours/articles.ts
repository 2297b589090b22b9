import type { Behaviour } from "../behaviour.ts";
import { ARTICLE, htmlPage, PARAGRAPHS } from "../html-page.ts";

const TITLE = "Fenwick gets a wall that tires the sea";

/** Ordinary pages with text. */
export const articles: readonly Behaviour[] = [
  {
    path: "/article",
    about: "a plain news article",
    answer: ({ respond }) => respond({ body: htmlPage({ title: TITLE, body: ARTICLE }) }),
  },
  {
    path: "/articles/*",
    about: "a thousand distinct short articles, by number",
    answer: ({ path, respond }) => {
      const number = Number(path.slice("/articles/".length));
      if (!Number.isInteger(number) || number < 1 || number > 1_000)
        return respond({ status: 404, body: "No such article" });
      const paragraph = PARAGRAPHS[number % PARAGRAPHS.length] ?? "";
      const body = `<article><h1>Harbour note ${number}</h1><p>${paragraph}</p><p>This is note number ${number} of the year's log.</p></article>`;
      return respond({ body: htmlPage({ title: `Harbour note ${number}`, body }) });
    },
  },
  {
    path: "/empty",
    about: "a page without a byte",
    answer: ({ respond }) => respond({ body: "" }),
  },
  {
    path: "/tiny",
    about: "a page of 42 bytes",
    answer: ({ respond }) => respond({ body: "<html><body><p>Ferry cancelled.</p></body>" }),
  },
  {
    path: "/no-content",
    about: "status 204",
    answer: ({ response }) => {
      response.writeHead(204);
      response.end();
    },
  },
];
