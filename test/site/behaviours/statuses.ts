import { type Behaviour, pathRest } from "../behaviour.ts";
import { htmlPage } from "../html-page.ts";

const TEXTS: Readonly<Record<number, readonly [title: string, text: string]>> = {
  400: ["Bad request", "The archive did not understand this address. Check it for stray characters and try again."],
  401: ["Please sign in", "This part of the archive is open to staff. Sign in with your desk account."],
  403: ["Not allowed", "Your network may not read this page. If you think this is wrong, write to the desk."],
  404: ["Page not found", "The page you asked for was taken down, or never was. Try the archive search, or start at the front page."],
  410: ["Gone", "This notice was withdrawn on the day it expired, as the harbour office asks of us."],
  418: ["Teapot", "The galley is not able to brew coffee."],
  429: ["Too many requests", "You have asked for more pages than one reader can read. Wait a moment."],
  451: ["Withheld", "A court has ordered this page withheld in your country."],
  500: ["Something broke", "The printing press behind this page has stopped. We have been told and are looking at it."],
  502: ["Bad gateway", "The newsroom did not answer the front desk."],
  503: ["Back soon", "The archive is closed for stocktaking and opens again within the hour."],
}; // prettier-ignore

/** Responses by status, each with a readable page. */
export const statuses: readonly Behaviour[] = [
  {
    path: "/status/*",
    about: "400, 401, 403, 404, 410, 418, 429 and 503 (Retry-After ?after=), 451, 500, 502",
    answer: (exchange) => {
      const status = Number(pathRest(exchange, "/status/*"));
      const [title, text] = TEXTS[status] ?? ["No such status", "This site does not do that one."];
      const after = exchange.query.get("after") ?? "2";
      exchange.respond({
        status: TEXTS[status] === undefined ? 404 : status,
        headers: {
          ...(status === 429 || status === 503 ? { "retry-after": after } : {}),
          ...(status === 401 ? { "www-authenticate": 'Basic realm="desk"' } : {}),
        },
        body: htmlPage({ title, body: `<h1>${title}</h1><p>${text}</p>` }),
      });
    },
  },
  {
    path: "/flaky",
    about: "503 twice, then the page, by ?key=",
    answer: (exchange) => {
      const times = exchange.count(`flaky ${exchange.query.get("key") ?? ""}`);
      if (times <= 2)
        return exchange.respond({
          status: 503,
          headers: { "retry-after": "0" },
          body: "<p>Not yet.</p>",
        });
      return exchange.respond({
        body: htmlPage({
          title: "At last",
          body: "<h1>At last</h1><p>The third knock opened the door.</p>",
        }),
      });
    },
  },
  {
    path: "/soft-404",
    about: "says not found with status 200",
    answer: ({ respond }) =>
      respond({
        body: htmlPage({
          title: "Page not found",
          body: "<h1>404</h1><p>Sorry, the page you are looking for could not be found.</p>",
        }),
      }),
  },
  {
    path: "/hang-up",
    about: "closes the connection without an answer",
    answer: ({ response }) => {
      response.destroy();
    },
  },
];
