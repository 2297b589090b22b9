// The commands for many pages: crawl, batch, map and search, with options and examples.
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Config } from "../../config.ts";
import { JOB_LIST_KINDS } from "../../contract/jobs/kinds.ts";
import { LEDGER_STATES } from "../../contract/jobs/url-outcomes.ts";
import type { BatchCommandOptions } from "./batch.ts";
import type { CrawlCommandOptions } from "./crawl.ts";
import type { FeedOptions, SitemapOptions } from "./feed.ts";
import type { JobsOptions, OneJobOptions, RetryJobOptions } from "./jobs.ts";
import type { LlmsTxtCommandOptions } from "./llms-txt.ts";
import type { MapCommandOptions } from "../pages/map.ts";
import type { LedgerOptions, Noun, ReadOptions } from "./read-job.ts";
import type { SearchCommandOptions } from "../pages/search.ts";
import { toInvocation } from "../terminal/hint.ts";
import { addFetchOptions, addMarkdownOptions, collect, parseWhole } from "../option-values.ts";

export type ProgramParts = {
  readonly program: Command;
  readonly settings: () => Config;
  /** Adds --api-url and --api-key. */
  readonly choosesServer: (command: Command) => Command;
};

const parseSeconds = (value: string): number => {
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (!(number > 0)) throw new InvalidArgumentError("It must be a number of seconds above 0.");
  return number;
};

const SITEMAP = new Option("--sitemap <use>", "include it, skip it, or take its URLs only").choices(
  ["include", "skip", "only"],
);

const EXIT_CODES = `

Exit codes: 0 complete (pages that failed are listed), 3 not a single page, 4 a limit was the reason, 1 failed otherwise,
130 interrupted (the job continues on the server). quarry help exit-codes lists all.`;

function addPageOptions(command: Command): Command {
  const withPage = addMarkdownOptions(command)
    .option(
      "-f, --format <name>",
      "format of each page, may be repeated or separated by commas (markdown)",
      collect,
    )
    .option("--extractor <id>", "stored extractor that gives the data of each page")
    .option("--whole-page", "keep navigation, footer and the like")
    .option("-H, --header <line>", 'request header "Name: value", may be repeated', collect)
    .option("--timeout <ms>", "milliseconds for each page, 1000 to 300000", parseWhole(0));
  return addFetchOptions(withPage);
}

function addWatchOptions(command: Command): Command {
  return command
    .option("--concurrency <number>", "maximum concurrent pages", parseWhole(1))
    .option(
      "-o, --out <target>",
      "folder (one file per page), file.ndjson, or - for standard output",
    )
    .option("--follow", "follow the job until it ends (the default)")
    .option("--no-follow", "start it, print its id and return")
    .option("--json", "print events as JSON, one per line");
}

function addCrawl({ program, settings, choosesServer }: ProgramParts): void {
  const crawl = program
    .command("crawl <url-or-id>")
    .description("follow links from a URL and scrape each page, or go on with a crawl by its id")
    .enablePositionalOptions()
    .option("--prompt <wish>", "what to crawl, in plain language; other options win over it")
    .option("--limit <number>", "maximum pages (10000)", parseWhole(1))
    .option(
      "--include <pattern>",
      "regular expression of paths to include, may be repeated",
      collect,
    )
    .option(
      "--exclude <pattern>",
      "regular expression of paths to exclude, may be repeated",
      collect,
    )
    .option("--depth <number>", "links to follow from the start at most", parseWhole(0))
    .addOption(SITEMAP)
    .option("--entire-domain", "also go to pages beside and above the start")
    .option("--subdomains", "also go to subdomains")
    .option("--external-links", "also scrape linked pages of other sites")
    .option("--delay <seconds>", "pause between pages, one page at a time", parseSeconds)
    .option("--ignore-robots", "ignore robots.txt");
  addPageOptions(addWatchOptions(choosesServer(crawl)))
    .addHelpText("after", toInvocation(CRAWL_EXAMPLES + EXIT_CODES))
    .action(async (target: string, options: CrawlCommandOptions) => {
      const { runCrawlCommand } = await import("./crawl.ts");
      await runCrawlCommand(settings(), target, options);
    });
  choosesServer(crawl.command("list"))
    .description("list the crawls that are running")
    .option("--json", "print them as JSON")
    .action(async (options: ReadOptions) =>
      (await import("./read-job.ts")).listCrawls(settings(), options),
    );
  addReaders(crawl, "crawl", { settings, choosesServer });
}

const CRAWL_EXAMPLES = `
Examples:
  quarry crawl https://example.com/docs/ --out docs      one Markdown file a page, below docs/
  quarry crawl https://example.com/ --limit 50 --out pages.ndjson
  quarry crawl https://example.com/ --include '^/blog/' --exclude '/tag/'
  quarry crawl 0199f0c1-… --out docs                     go on with a crawl, write what is missing
  quarry crawl ledger 0199f0c1-… --fate robots           which URLs robots.txt forbids
  quarry crawl sitemap 0199f0c1-… > sitemap.xml          the pages that it has read`;

function addBatch({ program, settings, choosesServer }: ProgramParts): void {
  const batch = program
    .command("batch <file-or-id>")
    .description("scrape the URLs of a file, one per line (- reads standard input)")
    .enablePositionalOptions();
  addPageOptions(addWatchOptions(choosesServer(batch)))
    .addHelpText("after", toInvocation(BATCH_EXAMPLES + EXIT_CODES))
    .action(async (target: string, options: BatchCommandOptions) => {
      const { runBatchCommand } = await import("./batch.ts");
      await runBatchCommand(settings(), target, options);
    });
  addReaders(batch, "batch", { settings, choosesServer });
}

const BATCH_EXAMPLES = `
Examples:
  quarry batch urls.txt --out pages
  quarry map https://example.com/ | quarry batch - --out pages.ndjson`;

function addReaders(
  command: Command,
  noun: Noun,
  { settings, choosesServer }: Omit<ProgramParts, "program">,
): void {
  const read = async () => await import("./read-job.ts");
  choosesServer(command.command("status <id>"))
    .description(`show the state of a ${noun}`)
    .option("--json", "print it as JSON")
    .action(async (id: string, options: ReadOptions) =>
      (await read()).showStatus(settings(), noun, id, options),
    );
  choosesServer(command.command("cancel <id>"))
    .description(`end a ${noun}; finished pages stay readable`)
    .option("--json", "print its state as JSON")
    .action(async (id: string, options: ReadOptions) =>
      (await read()).cancelJob(settings(), noun, id, options),
    );
  choosesServer(command.command("errors <id>"))
    .description("list pages that failed and URLs blocked by robots.txt")
    .option("--json", "print them as JSON")
    .action(async (id: string, options: ReadOptions) =>
      (await read()).showErrors(settings(), noun, id, options),
    );
  choosesServer(command.command("ledger <id>"))
    .description("list every URL of the job and its outcome")
    .addOption(new Option("--fate <name>", "only URLs with this fate").choices(LEDGER_STATES))
    .addOption(
      new Option("-f, --format <name>", "format of the list")
        .choices(["table", "csv", "ndjson"])
        .default("table"),
    )
    .option("--json", "the same as --format ndjson")
    .option("-o, --out <file>", "write to a file")
    .action(async (id: string, options: LedgerOptions) =>
      (await read()).showLedger(settings(), noun, id, options),
    );
  const files = async () => await import("./feed.ts");
  choosesServer(command.command("feed <id>"))
    .description(`write the pages of the ${noun} as a feed, newest first`)
    .addOption(buildFeedOption())
    .option("--limit <number>", "maximum entries, 1 to 1000 (100)", parseWhole(1))
    .option("--json", "the same as --format json")
    .option("-o, --out <file>", "write to a file")
    .action(async (id: string, options: FeedOptions & { limit?: number }) =>
      (await files()).writeJobFeed(settings(), noun, id, options),
    );
  choosesServer(command.command("sitemap <id>"))
    .description(`write the pages that the ${noun} has read as sitemap.xml`)
    .option("--part <number>", "part of a sitemap of more than 50000 pages", parseWhole(1))
    .option("--json", "print it as JSON: sitemap has the text")
    .option("-o, --out <file>", "write to a file")
    .action(async (id: string, options: SitemapOptions) =>
      (await files()).writeJobSitemap(settings(), noun, id, options),
    );
}

const buildFeedOption = (): Option =>
  new Option("-f, --format <name>", "rss (default), atom or json").choices(["rss", "atom", "json"]);

function addFeed({ program, settings, choosesServer }: ProgramParts): void {
  choosesServer(program.command("feed <url>"))
    .description("make a feed of a list page: a blog, news, documents, jobs")
    .addOption(buildFeedOption())
    .option("--json", "print title and entries as JSON, as the format feed of a scrape")
    .option("-o, --out <file>", "write to a file")
    .addHelpText("after", toInvocation(FEED_EXAMPLES))
    .action(async (url: string, options: FeedOptions) => {
      const { runFeedCommand } = await import("./feed.ts");
      await runFeedCommand(settings(), url, options);
    });
}

const FEED_EXAMPLES = `
Examples:
  quarry feed https://example.com/news/ > news.xml
  quarry feed https://example.com/news/ --format atom --out news.xml
  quarry crawl feed 0199f0c1-… > crawl.xml               the pages of a crawl
  quarry crawl sitemap 0199f0c1-… > sitemap.xml`;

function addMap({ program, settings, choosesServer }: ProgramParts): void {
  choosesServer(program.command("map <url>"))
    .description("list the URLs of a site without scraping them")
    .option("--search <words>", "only URLs relevant to these words, best first")
    .option("--limit <number>", "maximum URLs (100)", parseWhole(1))
    .addOption(SITEMAP)
    .option("--no-subdomains", "leave out subdomains")
    .option("--timeout <ms>", "timeout of the whole map in milliseconds", parseWhole(1))
    .option("--budget <tokens>", "print at most so many tokens", parseWhole(1))
    .option("--skip <number>", "leave out the first URLs", parseWhole(0))
    .option("--json", "print links with title and description as JSON")
    .addHelpText("after", toInvocation(MAP_EXAMPLES))
    .action(async (url: string, options: MapCommandOptions) => {
      const { runMapCommand } = await import("../pages/map.ts");
      await runMapCommand(settings(), url, options);
    });
}

function addLlmsTxt({ program, settings, choosesServer }: ProgramParts): void {
  choosesServer(program.command("llms-txt <url>"))
    .description("build llms.txt of a site from a crawl")
    .option("--limit <number>", "maximum pages to read, 1 to 2000 (100)", parseWhole(1))
    .option("--include <pattern>", "regular expression of paths, may be repeated", collect)
    .option("--exclude <pattern>", "regular expression of paths, may be repeated", collect)
    .option("--whole-site", "also go to siblings and parents of the start path")
    .option("--budget <tokens>", "most tokens of llms.txt, 200 or more (20000)", parseWhole(1))
    .option(
      "--max-characters <number>",
      "most characters of llms-full.txt, 1000 to 40000000 (10000000)",
      parseWhole(1),
    )
    .addOption(
      new Option("--describe <source>", "the line about each page (page)").choices([
        "page",
        "summary",
      ]),
    )
    .option("-o, --out <folder>", "write llms.txt and llms-full.txt there")
    .option("--update", "crawl again and rewrite the files in --out that changed")
    .option("--json", "print both files as JSON")
    .addHelpText("after", toInvocation(LLMS_TXT_EXAMPLES))
    .action(async (url: string, options: LlmsTxtCommandOptions) => {
      const { runLlmsTxtCommand } = await import("./llms-txt.ts");
      await runLlmsTxtCommand(settings(), url, options);
    });
}

const LLMS_TXT_EXAMPLES = `
Examples:
  quarry llms-txt https://example.com/docs/ > llms.txt
  quarry llms-txt https://example.com/docs/ --limit 1000 --out site
  quarry llms-txt https://example.com/docs/ --limit 1000 --out site --update`;

const MAP_EXAMPLES = `
Examples:
  quarry map https://example.com/ --limit 1000
  quarry map https://example.com/ --search "install docker"`;

const SOURCES = ["web", "news", "images"];

function addSearch({ program, settings, choosesServer }: ProgramParts): void {
  choosesServer(program.command("search <query>"))
    .description("search the pages the server has scraped, or the web through its search provider")
    .option("--limit <number>", "maximum results per source (10)", parseWhole(1))
    .addOption(
      new Option("--source <name>", "web, news or images, may be repeated (web)").argParser(
        (name: string, names: readonly string[] | undefined) => {
          if (!SOURCES.includes(name))
            throw new InvalidArgumentError(`It must be one of ${SOURCES.join(", ")}.`);
          return [...(names ?? []), name];
        },
      ),
    )
    .option("--tbs <range>", "time range, such as qdr:w for the last week")
    .option("-f, --format <name>", "scrape the results in this format, may be repeated", collect)
    .option(
      "--budget <tokens>",
      "print at most so many tokens: content is cut first",
      parseWhole(1),
    )
    .option("--json", "print the results as JSON")
    .addHelpText("after", toInvocation(SEARCH_EXAMPLES))
    .action(async (query: string, options: SearchCommandOptions) => {
      const { searchCommand } = await import("../pages/search.ts");
      await searchCommand(settings(), query, options);
    });
}

const SEARCH_EXAMPLES = `
Examples:
  quarry search "tide tables" --limit 5
  quarry search 'site:example.com "old pier" -lighthouse' --format markdown`;

function addJobs({ program, settings, choosesServer }: ProgramParts): void {
  const load = async () => await import("./jobs.ts");
  const jobs = program
    .command("jobs")
    .description("list jobs of all kinds: crawls, batches, extractions and agent runs")
    .enablePositionalOptions()
    .option(
      "--kind <names>",
      `${JOB_LIST_KINDS.join(", ")}; may be repeated or separated by commas`,
      collect,
    )
    .addOption(
      new Option("--state <name>", "only jobs in this state").choices([
        "running",
        "completed",
        "failed",
        "cancelled",
      ]),
    )
    .option("--host <name>", "only jobs that start on this host")
    .option("--text <words>", "only jobs with this text in their URL or prompt")
    .option("--key <name>", "only jobs that this API key (name or id) started")
    .option("--since <time>", "only jobs started from this time on, such as 2026-01-31T12:00:00Z")
    .option("--until <time>", "only jobs started before this time")
    .option("--limit <number>", "maximum jobs (25)", parseWhole(1))
    .option("--json", "print them as JSON");
  choosesServer(jobs)
    .addHelpText("after", toInvocation(JOBS_EXAMPLES))
    .action(async (options: JobsOptions) => (await load()).listJobs(settings(), options));
  choosesServer(jobs.command("show <id>"))
    .description("show one job")
    .option("--json", "print it as JSON")
    .action(async (id: string, options: OneJobOptions) =>
      (await load()).showJob(settings(), id, options),
    );
  choosesServer(jobs.command("retry <id>"))
    .description("scrape the failed pages of a job again, or start a failed job again")
    .option(
      "-H, --header <line>",
      'request header "Name: value" of its pages, may be repeated',
      collect,
    )
    .option("--json", "print the new job as JSON")
    .action(async (id: string, options: RetryJobOptions) =>
      (await load()).retryAnyJob(settings(), id, options),
    );
  choosesServer(jobs.command("cancel <id>"))
    .description("cancel a running job; finished pages stay readable")
    .option("--json", "print it as JSON")
    .action(async (id: string, options: OneJobOptions) =>
      (await load()).cancelAnyJob(settings(), id, options),
    );
}

const JOBS_EXAMPLES = `
Examples:
  quarry jobs --state running
  quarry jobs --kind crawl,batch --host example.com --limit 100 --json
  quarry jobs retry 0199f0c1-…                           its failed pages as a new batch`;

/** Adds crawl, batch, jobs, map and search to the program. */
export function addJobCommands(parts: ProgramParts): void {
  addCrawl(parts);
  addBatch(parts);
  addJobs(parts);
  addMap(parts);
  addFeed(parts);
  addLlmsTxt(parts);
  addSearch(parts);
}
