// The spider-trap detector on whole sites: endless sites end early, large ones are complete. The
// sites are generated; no HTTP.
import { describe, expect, it } from "vitest";
import { toIdentity } from "../../url/identity.ts";
import { SpiderTrapDetector } from "./spider-trap-detector.ts";

/** Answers of a site: text and links of a URL; undefined is a 404. */
type Site = (url: URL) => { readonly text: string; readonly links: readonly string[] } | undefined;

const MAX_PAGES = 40_000;
/** Pages fetched concurrently: the others cannot use their results. */
const AT_ONCE = 16;

/**
 * Crawls breadth first; returns the number of pages fetched and the first reason of the detector.
 * Each worker has its own detector that learns from its pages only.
 */
function crawlSite(site: Site, max = MAX_PAGES, workers = 1) {
  const detectors = range(workers).map(() => new SpiderTrapDetector());
  const deal = createRandom(7);
  const start = new URL("http://site.test/");
  const seen = new Set([toIdentity(start)]);
  const queue: { url: URL; chain: number }[] = [{ url: start, chain: 0 }];
  let fetched = 0;
  const reasons: string[] = [];
  for (let next = 0; next < queue.length && fetched < max;) {
    const taken = queue.slice(next, next + AT_ONCE);
    next += taken.length;
    const group = taken.flatMap(({ url, chain }) => {
      const trapDetector = detectors[deal(workers)] ?? new SpiderTrapDetector();
      const reason = trapDetector.check(url, chain);
      if (reason !== undefined) reasons.push(reason);
      return reason === undefined ? [{ url, chain, trapDetector }] : [];
    });
    for (const { url, chain, trapDetector } of group) {
      fetched += 1;
      const page = site(url);
      const nav = `<nav>${"Home Products About Imprint ".repeat(3)}</nav>`;
      const anchors = (page?.links ?? []).map((link) => `<a href="${link}">more</a>`).join(" ");
      const html = `<title>Site</title>${nav}<main>${page?.text ?? "not found"}</main>${anchors}`;
      trapDetector.learn(url, chain, Buffer.from(html));
      for (const link of page?.links ?? []) {
        const target = new URL(link, url);
        const identity = toIdentity(target);
        if (seen.has(identity)) continue;
        seen.add(identity);
        const verdict = trapDetector.judge({ url: target, parent: url, parentChain: chain });
        if (verdict.reason === undefined) queue.push({ url: target, chain: verdict.chain });
        else reasons.push(verdict.reason);
      }
    }
  }
  return { fetched, reasons };
}

/** Deterministic pseudo-random numbers. */
function createRandom(seed = 1): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x8000_0000) * below);
  };
}
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const random = createRandom();
const hex = (length = 12): string =>
  `${range(length - 2)
    .map(() => random(16).toString(16))
    .join("")}a7`;
const letters = (): string =>
  range(9)
    .map(() => String.fromCharCode(97 + random(26)))
    .join("");
const PAGES = ["about", "contact", "shop", "news", "team", "terms", "faq", "press"];
const own = (path: string): string =>
  `This is the page on ${path}. It says a few words of its own.`;
const MONTHS =
  "January February March April May June July August September October November December";
const month = (number: number): string => MONTHS.split(" ")[number % 12] ?? "";
/** Text of the length of an article, unique per number. */
const article = (number: number): string => {
  const pick = createRandom(number + 1);
  return range(40)
    .map(() => `word${"abcdefghij"[pick(10)]}${"abcdefghij"[pick(10)]}`)
    .join(" ");
};

const byName = (url: URL): string => url.pathname.split("/").at(-1) ?? "";

const TRAPS: Record<string, Site> = {
  "a session id as the first part of the path": (url) => ({
    text: own(byName(url)),
    links: PAGES.map((name) => `/${hex()}/${name}`),
  }),
  "short session ids in the path": (url) => ({
    text: own(byName(url)),
    links: PAGES.map(
      (name) =>
        `/s/${range(3)
          .map(() => `${"abcdef"[random(6)]}${random(10)}`)
          .join("")}/${name}`,
    ),
  }),
  "random names in the path that look like words": (url) => ({
    text: own(url.pathname === "/" ? "the start" : "nothing"),
    links: range(6).map(() => `/maze/${letters()}/`),
  }),
  "random names that go deeper and deeper": () => ({
    text: own("nothing"),
    links: range(4).map(() => `${letters()}/`),
  }),
  ";jsessionid=": (url) => ({
    text: own(byName(url).replace(/;.*/, "")),
    links: PAGES.map((name) => `/${name};jsessionid=${hex(24).toUpperCase()}`),
  }),
  "?sid=": (url) => ({
    text: own(byName(url)),
    links: PAGES.map((name) => `/${name}?sid=${hex(16)}`),
  }),
  "?PHPSESSID= beside an id": (url) => ({
    text: own(url.searchParams.get("id") ?? ""),
    links: range(60).map((id) => `/item.php?id=${id}&PHPSESSID=${hex(26)}`),
  }),
  "?session= of letters": (url) => ({
    text: own(byName(url)),
    links: PAGES.map((name) => `/${name}?session=${letters()}${letters()}${letters()}`),
  }),
  "?utm_campaign= made anew for each link": (url) => ({
    text: own(byName(url)),
    links: PAGES.map((name) => `/${name}?utm_source=own&utm_campaign=${letters()}`),
  }),
  "a parameter of any name that is random": (url) => ({
    text: own(byName(url)),
    links: PAGES.map((name) => `/${name}?zq=${hex(10)}`),
  }),
  "filters that combine": (url) => ({
    text: `Shirts ${[...url.searchParams.values()].join(" ")} ${range(url.search.length % 7)
      .map((item) => `shirt ${MONTHS.split(" ")[item]}`)
      .join(" ")}`,
    links: ["red", "blue", "green", "small", "large", "new", "cheap", "cotton", "wool", "long"].map(
      (value, index) => {
        const target = new URL("/shirts", url);
        for (const [name, old] of url.searchParams) target.searchParams.set(name, old);
        target.searchParams.set(`f${index}`, value);
        return target.href;
      },
    ),
  }),
  "a calendar of months by path": (url) => {
    const [, , year = 2026, at = 1] = url.pathname.split("/").map(Number);
    const next = at === 12 ? `/calendar/${year + 1}/1` : `/calendar/${year}/${at + 1}`;
    return { text: `${month(at - 1)} ${year}. No events.`, links: [next] };
  },
  "a calendar of days and months by path": (url) => {
    const [, , year = 2026, at = 1, day] = url.pathname.split("/").map(Number);
    const days = range(28).map((number) => `/events/${year}/${at}/${number + 1}`);
    const next = at === 12 ? `/events/${year + 1}/1` : `/events/${year}/${at + 1}`;
    const back = at === 1 ? `/events/${year - 1}/12` : `/events/${year}/${at - 1}`;
    return {
      text: `${day ?? ""} ${month(at - 1)} ${year}. No events on this day.`,
      links: day === undefined ? [next, back, ...days] : [`/events/${year}/${at}`],
    };
  },
  "a calendar by query": (url) => {
    const at = Number(url.searchParams.get("month") ?? 0);
    return {
      text: `${month(((at % 12) + 12) % 12)}. Nothing planned.`,
      links: [`/cal?month=${at + 1}`, `/cal?month=${at - 1}`],
    };
  },
  "a calendar by date in the query": (url) => {
    const at = Date.parse(url.searchParams.get("date") ?? "2026-01-01");
    const day = (days: number) => new Date(at + days * 86_400_000).toISOString().slice(0, 10);
    return {
      text: `${new Date(at).toDateString()}: free.`,
      links: [1, -1, 7, 30].map((days) => `/booking?date=${day(days)}`),
    };
  },
  "a calendar with a view by week for each month": (url) => {
    const [year = 2026, at = 1] = (url.pathname.split("/")[2] ?? "2026-1").split("-").map(Number);
    const next = at === 12 ? `/cal/${year + 1}-1` : `/cal/${year}-${at + 1}`;
    return {
      text: `${month(at - 1)} ${year}. No events.`,
      links: [next, `${next}?view=week`],
    };
  },
  "a calendar with three views that lead to each other": (url) => {
    const [year = 2026, at = 1] = (url.pathname.split("/")[3] ?? "2026-1").split("-").map(Number);
    const next = at === 12 ? `${year + 1}-1` : `${year}-${at + 1}`;
    return {
      text: `${url.pathname.split("/")[2] ?? ""} ${month(at - 1)} ${year}. No events.`,
      links: ["month", "week", "list"].map((view) => `/events/${view}/${next}`),
    };
  },
  "a relative link to a directory": () => ({ text: own("x"), links: ["x/", "/about"] }),
  "two relative links that take turns": (url) => ({
    text: own(url.pathname.endsWith("a/") ? "a" : "b"),
    links: [url.pathname.endsWith("a/") ? "b/" : "a/"],
  }),
  "a menu of relative links": (url) => ({
    text: own(url.pathname.split("/").at(-2) ?? ""),
    links: PAGES.map((name) => `${name}/`),
  }),
};

const LARGE: Record<string, readonly [pages: number, site: Site]> = {
  "20,000 pages in one directory": [
    20_001,
    (url) => ({
      text: own(url.pathname),
      links: url.pathname === "/" ? range(20_000).map((number) => `/page/${number}.html`) : [],
    }),
  ],
  "20,000 pages in one directory, each with links to others": [
    20_001,
    (url) => {
      const number = Number(/\d+/.exec(url.pathname)?.[0] ?? 0);
      return {
        text: own(url.pathname),
        links: range(10).map((step) => `/page/${((number * 10 + step) % 20_000) + 1}.html`),
      };
    },
  ],
  "a chain of 5,000 pages": [
    5_001,
    (url) => {
      const number = Number(/\d+/.exec(url.pathname)?.[0] ?? 0);
      return {
        text: own(`number ${number}`),
        links: number < 5_000 ? [`/page/${number + 1}`] : [],
      };
    },
  ],
  "a shop of 20,000 products by ?id=": [
    20_001,
    (url) => {
      const id = Number(url.searchParams.get("id") ?? 0);
      const others = range(8).map((step) => `/product?id=${((id * 8 + step) % 20_000) + 1}`);
      return { text: `Product ${id}. ${article(id)}`, links: others };
    },
  ],
  "products by made-up ids, linked to each other": [
    10_001,
    (url) => {
      const number = Number.parseInt(/[\da-f]{8}/.exec(url.pathname)?.[0] ?? "0", 16) >> 8;
      const id = (of: number) => `${of.toString(16).padStart(6, "0")}a7`;
      return {
        text: article(number),
        links: range(5).map((step) => `/p/${id(((number * 5 + step) % 10_000) + 1)}`),
      };
    },
  ],
  "3,000 facets of two parameters": [
    3_001,
    (url) => {
      const brand = Number(url.searchParams.get("brand")?.slice(1) ?? 0);
      const size = Number(url.searchParams.get("size") ?? 0);
      return {
        text: `Brand ${month(brand)} ${article(brand)} in size ${article(size)}`,
        links: [
          `/shoes?brand=b${brand}&size=${(size + 1) % 30}`,
          `/shoes?brand=b${(brand + 1) % 100}&size=${size}`,
        ],
      };
    },
  ],
  "a blog by date with 6,000 articles, each with one before and one after": [
    6_001,
    (url) => {
      const at = Number(/\d+$/.exec(url.pathname)?.[0] ?? 0);
      const path = (number: number) => {
        const date = new Date(Date.UTC(2008, 0, 1 + number)).toISOString().slice(0, 10);
        return `/${date.replaceAll("-", "/")}/on-${letterName(number)}-${number}`;
      };
      return { text: article(at), links: at < 6_000 ? [path(at + 1)] : [] };
    },
  ],
  "archives by day with what was written": [
    1_201,
    (url) => {
      const date = Date.parse(url.pathname.slice(1).replaceAll("/", "-")) || Date.UTC(2024, 0, 1);
      const number = Math.round((date - Date.UTC(2024, 0, 1)) / 86_400_000);
      const next = new Date(date + 86_400_000).toISOString().slice(0, 10).replaceAll("-", "/");
      const title = `${letterName(number * 7)} ${letterName(number * 13 + 5)}`;
      return { text: `${title} of this day`, links: number < 1_200 ? [`/${next}`] : [] };
    },
  ],
  "a list of 2,000 pages by ?page= with entries": [
    12_006,
    (url) => {
      const at = Number(url.searchParams.get("page") ?? (url.pathname === "/" ? 1 : 0));
      if (at === 0) return { text: own(url.pathname), links: [] };
      const entries = range(5).map((entry) => `/entry/${letterName(at * 5 + entry)}`);
      return {
        text: entries.join(" "),
        links: [...entries, ...(at < 2_001 ? [`/list?page=${at + 1}`] : [])],
      };
    },
  ],
  "an archive by month of pictures without words": [
    1 + 240 + 240 * 10,
    (url) => {
      const [, , year = 2000, at = 0] = url.pathname.split(/[/-]/).map(Number);
      if (url.pathname.startsWith("/photo")) {
        const number = Number.parseInt(url.pathname.slice(-8, -2), 16);
        const when = Math.floor(number / 10);
        return {
          text: "Picture. Back to the archive",
          links: [`/archive/${2000 + Math.floor(when / 12)}-${(when % 12) + 1}`],
        };
      }
      if (url.pathname === "/")
        return {
          text: own("pictures"),
          links: range(240).map((of) => `/archive/${2000 + Math.floor(of / 12)}-${(of % 12) + 1}`),
        };
      const first = ((year - 2000) * 12 + at - 1) * 10;
      return {
        text: `Pictures of ${month(at - 1)}`,
        links: range(10).map((step) => `/photo/${(first + step).toString(16).padStart(6, "0")}a7`),
      };
    },
  ],
  "a manual whose directories have names that repeat": [
    1 + 30 + 30 * 30 + 30 * 30 * 5,
    (url) => {
      const parts = url.pathname.split("/").filter((part) => part !== "");
      const names = range(parts.length < 2 ? 30 : 5).map((number) => `${letterName(number)}/`);
      return {
        text: `${url.pathname} ${article(url.pathname.length * 31)} ${parts.join(" ")}`,
        links: parts.length < 3 ? names : [],
      };
    },
  ],
  "talks by session number": [
    3_001,
    (url) => {
      const session = Number(url.searchParams.get("session") ?? 0);
      const next = range(3).map((step) => `/talk?session=${((session * 3 + step) % 3_000) + 1}`);
      return { text: own(`talk ${session}`), links: next };
    },
  ],
};

/** Spells a number as a word of letters. */
function letterName(number: number): string {
  let word = "";
  for (let rest = number + 703; rest > 0; rest = Math.floor(rest / 26))
    word = String.fromCharCode(97 + (rest % 26)) + word;
  return word;
}

describe("endless sites", () => {
  it.each(Object.entries(TRAPS))("stops crawling an endless site: %s", (_name, site) => {
    const { fetched, reasons } = crawlSite(site);
    expect(fetched).toBeLessThan(400);
    expect(reasons[0]).toMatch(/\d|differs/);
  });

  // Each worker learns separately; pages are assigned at random.
  it.each(Object.entries(TRAPS))(
    "stops crawling an endless site with four workers after about four times the pages: %s",
    (_name, site) => {
      expect(crawlSite(site, MAX_PAGES, 4).fetched).toBeLessThan(5 * crawlSite(site).fetched);
    },
  );
});

describe("large sites", () => {
  it.each(Object.entries(LARGE))("crawls a large site completely: %s", (_name, [pages, site]) => {
    const { fetched, reasons } = crawlSite(site);
    expect(reasons).toEqual([]);
    expect(fetched).toBe(pages);
  });
});
