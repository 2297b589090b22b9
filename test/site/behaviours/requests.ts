import { type Behaviour, queryNumber } from "../behaviour.ts";
import { htmlPage } from "../html-page.ts";

/** Pages that depend on the request or the number of visits. */
export const requests: readonly Behaviour[] = [
  {
    path: "/echo",
    about: "method, address and headers of the request, as JSON",
    answer: ({ method, path, query, headers, respond }) =>
      respond({
        type: "application/json",
        body: JSON.stringify({ method, path, query: Object.fromEntries(query), headers }),
      }),
  },
  {
    path: "/made",
    about: "the page that ?body= says, with ?status= (200) and ?type=",
    answer: ({ query, respond }) =>
      respond({
        status: Number(query.get("status") ?? 200),
        type: query.get("type") ?? "text/html; charset=utf-8",
        body: query.get("body") ?? "<p>Nothing was asked for.</p>",
      }),
  },
  {
    path: "/language",
    about: "a greeting in the language asked for",
    answer: ({ headers, respond }) => {
      const asked = headers["accept-language"] ?? "";
      const [language, text] = asked.startsWith("de")
        ? ["de", "Guten Morgen, die Fähre fährt heute nach Plan."]
        : asked.startsWith("fr")
          ? ["fr", "Bonjour, le bac circule normalement aujourd’hui."]
          : ["en", "Good morning, the ferry is on time today."];
      respond({
        headers: { vary: "accept-language", "content-language": language },
        body: htmlPage({ title: "Ferry", language, body: `<h1>Ferry</h1><p>${text}</p>` }),
      });
    },
  },
  {
    path: "/cookies/start",
    about: "sets a cookie and sends on to a page that needs it",
    answer: ({ respond }) =>
      respond({
        status: 302,
        headers: {
          location: "/cookies/needed",
          "set-cookie": ["pass=harbour-7; Path=/; HttpOnly", "seen=1; Max-Age=60"],
        },
      }),
  },
  {
    path: "/cookies/needed",
    about: "403 without the cookie of /cookies/start",
    answer: ({ headers, respond }) =>
      /(?:^|;\s*)pass=harbour-7(?:;|$)/.test(headers.cookie ?? "")
        ? respond({
            body: htmlPage({
              title: "Pass",
              body: "<h1>Come in</h1><p>Your pass is good for today.</p>",
            }),
          })
        : respond({
            status: 403,
            body: htmlPage({ title: "No pass", body: "<h1>No pass</h1><p>Start at the gate.</p>" }),
          }),
  },
  {
    path: "/basic-auth",
    about: "needs desk:tide-table",
    answer: ({ headers, respond }) =>
      headers.authorization === `Basic ${Buffer.from("desk:tide-table").toString("base64")}`
        ? respond({
            body: htmlPage({
              title: "Desk",
              body: "<h1>Desk</h1><p>Tomorrow's tide table is ready for print.</p>",
            }),
          })
        : respond({
            status: 401,
            headers: { "www-authenticate": 'Basic realm="desk", charset="UTF-8"' },
            body: "<h1>Please sign in</h1>",
          }),
  },
  {
    path: "/hits",
    about: "says how often it was asked, by ?key=",
    answer: ({ count, query, respond }) => {
      const times = count(`hits ${query.get("key") ?? ""}`);
      respond({
        body: htmlPage({
          title: "Visits",
          body: `<h1>Visits</h1><p>This page was opened ${times} times.</p>`,
        }),
      });
    },
  },
  {
    path: "/changing",
    about: "other text at each visit",
    answer: ({ count, query, respond }) => {
      const times = count(`changing ${query.get("key") ?? ""}`);
      const rows = Array.from(
        { length: 4 },
        (_, hour) =>
          `<tr><td>${hour + 6}:00</td><td>${((times * 7 + hour * 13) % 40) / 10 + 1} m</td></tr>`,
      );
      respond({
        body: htmlPage({
          title: "Tide now",
          body: `<h1>Tide now</h1><p>Reading ${times} of the day.</p><table><tr><th>Hour</th><th>Height</th></tr>${rows.join("")}</table>`,
        }),
      });
    },
  },
  {
    path: "/etag",
    about: "304 when asked with its ETag",
    answer: ({ headers, respond, response }) => {
      if (headers["if-none-match"] === '"tide-1"') {
        response.writeHead(304, { etag: '"tide-1"' });
        response.end();
        return;
      }
      respond({
        headers: { etag: '"tide-1"', "cache-control": "max-age=60" },
        body: htmlPage({ title: "Kept", body: "<h1>Kept</h1><p>This page rarely changes.</p>" }),
      });
    },
  },
  {
    path: "/long-headers",
    about: "a response header of ?bytes= (10000)",
    answer: (exchange) =>
      exchange.respond({
        headers: { "x-note": "n".repeat(queryNumber(exchange, "bytes", 10_000, 1_000_000)) },
        body: "<p>Look above.</p>",
      }),
  },
];
