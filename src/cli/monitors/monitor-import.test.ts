// The lists follow the public formats of both tools and the forms that public lists use.
import { describe, expect, it } from "vitest";
import { monitorRequestSchema } from "../../contract/jobs/monitor.ts";
import { parseAppriseUrl } from "./apprise-url.ts";
import { addExclude, createDraft, toEvery, toInclude } from "./import-draft.ts";
import { parseMonitorList } from "./monitor-import.ts";
import { threadCpuMs } from "../../../test/cpu-time.ts";

const parse = (text: string) => parseMonitorList(text, { every: "hourly", channels: [] });

const WATCHES = JSON.stringify({
  note: "",
  watching: {
    one: {
      url: "https://shop.example/lamp",
      title: "Lamp",
      paused: true,
      time_between_check: { weeks: null, days: null, hours: null, minutes: 25, seconds: null },
      include_filters: [".price", "xpath://div[@id='stock']"],
      subtractive_selectors: ["header"],
      ignore_text: ["Visitors", "/page \\d+/i"],
      trigger_text: ["sold out"],
      headers: { cookie: "a=1" },
      notification_urls: ["ntfy://lamps", "mailto://me:secret@mail.example"],
      webdriver_delay: 3,
      sort_text_alphabetically: true,
      method: "GET",
      processor: "text_json_diff",
      browser_steps: [{ operation: "Choose one", selector: "", optional_value: "" }],
    },
    two: { url: "https://api.example/v1", include_filters: ["json:$.items[*].price"] },
    three: { url: "https://shop.example/buy", method: "POST" },
    four: { url: "https://shop.example/x", include_filters: ["jq:.a | .b"] },
    five: { url: "https://shop.example/y", processor: "restock_diff" },
    six: { url: "https://shop.example/z", browser_steps: [{ operation: "Click element" }] },
    seven: { url: "ftp://old.example/" },
    eight: { url: "https://shop.example/d", include_filters: ["//div[contains(@class,'a')]"] },
  },
  settings: {
    requests: { time_between_check: { hours: 6 } },
    application: { notification_urls: ["gotify://push.example/token"] },
  },
});

const JOBS = `
name: "News"
url: "https://town.example/news"
filter:
  - css: main
  - html2text
  - delete_lines_containing: "Visitors:"
---
name: Old
url: https://town.example/old
filter: element-by-id:content,html2text
---
url: https://town.example/list
filter:
  - xpath: //ul[@class="jobs"]
  - keep_lines_containing:
      re: "gardener|baker"
headers:
  User-Agent: watcher
---
command: ls -l
---
url: https://town.example/form
data: a=1
---
navigate: https://town.example/app
filter: [shellpipe: "sort"]
---
url: https://api.example/prices
filter:
  - jq: '.items[].price'
---
url: https://town.example/search
post: "q=lamp"
---
name: Members
kind: url
url: https://town.example/members
cookies:
  session: abc
ignore_http_error_codes: 5xx
max_tries: 3
---
url: https://town.example/first
filter:
  - css:
      selector: li
      maxitems: 1
---
#url: "https://town.example/commented"
---
`;

describe("import of changedetection.io", () => {
  const { monitors, skipped } = parse(WATCHES);

  it("maps selectors, schedule, filters, headers and channels, and names what is lost", () => {
    expect(monitors).toHaveLength(3);
    expect(monitors[0]).toMatchObject({
      isPaused: true,
      request: {
        name: "Lamp",
        schedule: { text: "every 20 minutes" },
        targets: [
          {
            urls: ["https://shop.example/lamp"],
            scrapeOptions: {
              includeTags: [".price", 'div[id="stock"]'],
              excludeTags: ["header"],
              headers: { cookie: "a=1" },
              waitFor: 3_000,
            },
          },
        ],
        detection: { ignore: ["(?i)Visitors", "(?i)page \\d+"] },
        when: { conditions: [{ type: "textAppears", text: "sold out" }] },
        channels: [{ type: "ntfy", url: "https://ntfy.sh/lamps" }],
      },
    });
    const notes = monitors[0]?.notes.join("\n") ?? "";
    expect(notes).toContain("sort_text_alphabetically");
    expect(notes).toContain("Notifications by mailto are not imported.");
    expect(notes).not.toContain("secret");
    expect(notes).toContain("The interval is every 20 minutes instead of 25 minutes.");
  });

  it("takes the interval and channels of the application where a watch has none", () => {
    expect(monitors[1]?.request).toMatchObject({
      schedule: { text: "every 6 hours" },
      targets: [{ scope: { jsonPaths: ["$.items[*].price"] } }],
      channels: [{ type: "gotify", url: "http://push.example", token: "token" }],
    });
  });

  it("leaves out watches that would watch something else, with the reason", () => {
    expect(skipped.map(({ name, reason }) => [name, reason])).toEqual([
      ["shop.example/buy", "It sends POST requests."],
      ["shop.example/x", "It uses a jq filter: jq:.a | .b."],
      ["shop.example/y", "It uses the processor restock_diff."],
      ["shop.example/z", "It runs steps in the browser."],
      ["old.example", "ftp://old.example/ is not a web address."],
    ]);
  });
});

describe("import of urlwatch", () => {
  const { monitors, skipped } = parse(JOBS);

  it("maps filters of each form", () => {
    expect(monitors.map(({ request }) => request)).toMatchObject([
      {
        name: "News",
        schedule: { text: "hourly" },
        targets: [
          { scrapeOptions: { includeTags: ["main"] }, scope: { linesNotMatching: ["Visitors:"] } },
        ],
      },
      { targets: [{ scrapeOptions: { includeTags: ['[id="content"]'] } }] },
      {
        name: "town.example/list",
        targets: [
          {
            scrapeOptions: {
              includeTags: ['ul[class="jobs"]'],
              headers: { "User-Agent": "watcher" },
            },
            scope: { linesMatching: ["gardener|baker"] },
          },
        ],
      },
      { targets: [{ scope: { jsonPaths: ["$.items[*].price"] } }] },
      {
        name: "Members",
        targets: [{ scrapeOptions: { headers: { Cookie: "session=abc" } } }],
        detection: { brokenAfter: 3 },
      },
      { targets: [{ scrapeOptions: { includeTags: ["li"] } }] },
    ]);
    expect(monitors.at(-2)?.notes).toEqual([
      "The setting ignore_http_error_codes is not imported.",
    ]);
    expect(monitors.at(-1)?.notes).toEqual([
      "The limit maxitems: 1 is not imported. The monitor watches every match.",
    ]);
  });

  it("leaves out jobs that run commands or send data", () => {
    expect(skipped.map(({ reason }) => reason)).toEqual([
      "It runs a command.",
      "It sends POST requests.",
      "It uses the filter shellpipe.",
      "It sends POST requests.",
    ]);
  });
});

describe("import of the forms that public lists of urlwatch use", () => {
  const parseOne = (job: string) => {
    const { monitors, skipped } = parse(job);
    return { target: monitors[0]?.request.targets[0], notes: monitors[0]?.notes, skipped };
  };

  it("takes the text of grep and grepi as a pattern, and that of webchanges' filters as a text", () => {
    const { target } = parseOne(
      "url: https://a.example/\nfilter: html2text,grep:v[0-9]+,grepi:zip$,strip",
    );
    expect(target).toMatchObject({
      scope: { linesMatching: ["v[0-9]+"], linesNotMatching: ["zip$"] },
    });
    expect(
      parseOne("url: https://a.example/\nfilter: [keep_lines_containing: v1.2]").target,
    ).toMatchObject({ scope: { linesMatching: [String.raw`v1\.2`] } });
  });

  it("takes the last of two equal keys", () => {
    const { target } = parseOne(
      "url: https://a.example/\nheaders:\n  Cookie: a=1\n  Cookie: b=2\nfilter: css:main,html2text",
    );
    expect(target).toMatchObject({ scrapeOptions: { headers: { Cookie: "b=2" } } });
  });

  it("skips a broken document and keeps the others", () => {
    const { monitors, skipped } = parse(
      "url: https://a.example/\n---\nurl: [https://b.example/\n---\nurl: https://c.example/\n",
    );
    expect(monitors.map(({ request }) => request.name)).toContain("a.example");
    expect(skipped[0]?.reason).toMatch(/^Invalid YAML: /);
  });

  it("watches every match where an expression selects one of them, and says so", () => {
    const { target, notes } = parseOne(
      `url: https://a.example/\nfilter: [{xpath: '(//div[contains(@class,"tags")]//h4)[1]/a'}, {html2text: re}]`,
    );
    expect(target).toMatchObject({ scrapeOptions: { includeTags: ['div[class*="tags"] h4 > a'] } });
    expect(notes?.[0]).toMatch(
      /^CSS cannot express \(\/\/div.* watches every element that matches div.*\.$/,
    );
  });

  it("applies the second of two selecting filters to what the first one left", () => {
    expect(
      parseOne("url: https://a.example/\nfilter: [element-by-class: list, css: 'ul, ol']").target,
    ).toMatchObject({ scrapeOptions: { includeTags: [':is([class~="list"]) :is(ul, ol)'] } });
    expect(
      parseOne(
        "url: https://a.example/\nfilter: [element-by-class: list, css: {selector: body, exclude: .x}]",
      ).target,
    ).toMatchObject({
      scrapeOptions: { includeTags: ['[class~="list"]'], excludeTags: [".x"] },
    });
  });

  it("watches a whole feed where the filter selects parts of it", () => {
    const { target, notes } = parseOne(
      "url: https://a.example/feed\nfilter:\n  - xpath: //channel/item[1]/guid\n  - html2text:\n  - strip:",
    );
    expect(target).toMatchObject({ scrapeOptions: { onlyMainContent: false } });
    expect(notes).toEqual([
      "//channel/item[1]/guid selects part of a feed. The monitor watches the whole feed.",
    ]);
  });

  it("names each setting without a counterpart", () => {
    const { target, notes } = parseOne(
      "url: https://a.example/\nuseragent: Mozilla/5.0 (X11)\ntimeout: 30\nalert: [x]\ntreat_new_as_changed: false",
    );
    expect(target).toMatchObject({
      scrapeOptions: { headers: { "User-Agent": "Mozilla/5.0 (X11)" } },
    });
    expect(notes).toEqual([
      "The setting timeout is not imported.",
      "The setting alert is not imported.",
    ]);
  });

  it.each([
    ["filter: 'grep:<a href.*>source</a>'", "It filters lines of the HTML: <a href.*>source</a>."],
    ["filter: [html2text, grep]", "It uses the filter grep without a text."],
    ["filter: [html2text, {grep: '(?=x)'}]", /^The monitor would not be valid: .*\(\?=x\)/],
    ["filter: [{css: 'media|keywords['}]", /^It selects media.*has no CSS selector\.$/],
    ["filter: [css: main, xpath: /html/body/p]", /^Its second selector starts at the root/],
    ["kind: custom-login", 'Its kind "custom-login" is defined by a Python hook.'],
  ])("leaves out a job with %s", (line, reason) => {
    const { target, skipped } = parseOne(`url: https://a.example/\n${line}`);
    expect(target).toBeUndefined();
    expect(skipped[0]?.reason).toMatch(reason);
  });
});

describe("import of lists", () => {
  it("makes requests that the server accepts", () => {
    for (const text of [WATCHES, JOBS, "https://a.example/\nhttps://b.example/x tag\n"])
      for (const { request } of parse(text).monitors)
        expect(monitorRequestSchema.safeParse(request).error).toBeUndefined();
  });

  it("makes a monitor of each line with a URL", () => {
    const { monitors } = parse("# mine\nhttps://a.example/\n\nhttps://b.example/x news\n");
    expect(monitors.map(({ request }) => request.name)).toEqual(["a.example", "b.example/x"]);
  });

  it("skips and names a line without a URL when more than half of the lines have one", () => {
    const { monitors, skipped } = parse(
      "https://a.example/\nwww.b.example/lamp\nhttps://c.example/\nhttps://[\nhttps://d.example/\n",
    );
    expect(monitors.map(({ request }) => request.name)).toEqual([
      "a.example",
      "c.example",
      "d.example",
    ]);
    expect(skipped).toEqual([
      { name: "www.b.example/lamp", reason: "It is not a web address." },
      { name: "https://[", reason: "https://[ is not a web address." },
    ]);
    expect(() => parse("https://a.example/\nwww.b.example\n")).toThrow("not a list");
  });

  it("leaves out a channel that the server would refuse, and keeps the monitor", () => {
    const { monitors } = parse(
      JSON.stringify({
        watching: {
          one: {
            url: "https://a.example/",
            notification_urls: [`gotify://push.example/${"t".repeat(501)}`, "ntfy://lamps"],
          },
        },
      }),
    );
    expect(monitors[0]?.request.channels).toEqual([{ type: "ntfy", url: "https://ntfy.sh/lamps" }]);
    expect(monitors[0]?.notes).toContain(
      "The gotify address is not valid and not imported. Add a channel with --notify.",
    );
  });

  it.each(["PK\u0003\u0004", "{", '{"a":1}', "just words", ": : :", ""])("rejects %j", (text) => {
    expect(() => parse(text)).toThrow();
  });

  it("expands no aliases without end", () => {
    const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"];
    for (let level = 0; level < 12; level++)
      bomb.push(
        `b${level}: &b${level} [${Array(9)
          .fill(level === 0 ? "*a" : `*b${level - 1}`)
          .join(",")}]`,
      );
    const started = threadCpuMs();
    expect(() => parse(bomb.join("\n"))).toThrow();
    expect(threadCpuMs() - started).toBeLessThan(5_000);
  });

  it.each([
    ["//div[@id='a']//p", 'div[id="a"] p'],
    ["/html/body/main", "html > body > main"],
    ['//*[@class="x"]', '*[class="x"]'],
    ["div.price > b", "div.price > b"],
    ["xpath://p | //q", "p, q"],
    ["//a/..", undefined],
    ["media|keywords[", undefined],
    ["//channel/item[1]/guid", "feed"],
    ["item > title", "feed"],
    ["li.item", "li.item"],
    ["#feed .entry", "#feed .entry"],
    ['//div[@class="product item col"]', 'div[class="product item col"]'],
    ["a[title='feed of all']", "a[title='feed of all']"],
    ['a[href="/rss/feed/"] > b', 'a[href="/rss/feed/"] > b'],
  ])("converts %s", (path, css) => {
    expect(toInclude(path, [])).toBe(css);
  });

  it("excludes elements only if CSS selects the same", () => {
    const draft = createDraft();
    for (const text of [".ad", "//nav", "(//p)[1]", "//a/.."]) addExclude(draft, text);
    expect(draft.exclude).toEqual([".ad", "nav"]);
    expect(draft.notes).toEqual([
      "(//p)[1] has no CSS selector and cannot be excluded. The monitor watches it.",
      "//a/.. has no CSS selector and cannot be excluded. The monitor watches it.",
    ]);
  });

  it.each([
    [1, "every 5 minutes"],
    [17, "every 15 minutes"],
    [60, "hourly"],
    [300, "every 4 hours"],
    [1_440, "daily"],
    [20_000, "weekly"],
  ])("rounds %d minutes", (minutes, text) => {
    expect(toEvery(minutes)).toBe(text);
  });

  it.each([
    ["discord://123/abc", { type: "discord", url: "https://discord.com/api/webhooks/123/abc" }],
    ["slack://T1/B2/C3", { type: "slack", url: "https://hooks.slack.com/services/T1/B2/C3" }],
    ["tgram://1:ab/-100", { type: "telegram", token: "1:ab", chatId: "-100" }],
    ["ntfys://push.example/topic", { type: "ntfy", url: "https://push.example/topic" }],
    ["jsons://a.example/hook", { type: "webhook", url: "https://a.example/hook" }],
    ["pover://user@token", { type: "pushover", user: "user", token: "token" }],
    [
      "https://discord.com/api/webhooks/123/a_b-c",
      { type: "discord", url: "https://discord.com/api/webhooks/123/a_b-c" },
    ],
    [
      "https://hooks.slack.com/services/T1/B2/C3",
      { type: "slack", url: "https://hooks.slack.com/services/T1/B2/C3" },
    ],
    ["https://a.example/hook", undefined],
    ["jsons://user:pass@a.example/", undefined],
    ["mailto://a:b@c.example", undefined],
    ["nonsense", undefined],
  ])("reads the Apprise URL %s", (url, channel) => {
    expect(parseAppriseUrl(url)).toEqual(channel);
  });
});
