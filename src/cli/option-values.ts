import { type Command, InvalidArgumentError, Option } from "commander";

/** Collects an option that may be repeated. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** Parses a whole number of at least `min`; commander adds the option's name to the error. */
export const parseWhole =
  (min: number) =>
  (value: string): number => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!Number.isSafeInteger(number) || number < min)
      throw new InvalidArgumentError(`It must be a whole number of at least ${min}.`);
    return number;
  };

/** Like `whole`, or "none" for no limit (commander treats null as missing). */
export const parseWholeOrNone =
  (min: number) =>
  (value: string): number | "none" => {
    if (value === "none") return value;
    try {
      return parseWhole(min)(value);
    } catch {
      throw new InvalidArgumentError(`It must be a whole number of at least ${min}, or none.`);
    }
  };

const ON_BLOCKED = new Option(
  "--on-blocked <what>",
  "text of a bot check or login page: empty (default) or return",
).choices(["empty", "return"]);

/** Adds the options of how the Markdown of a page is written and cut. */
export function addMarkdownOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--links <style>",
        "links in the Markdown: inline (default), reference, text or none",
      ).choices(["inline", "reference", "text", "none"]),
    )
    .addOption(
      new Option("--images <what>", "images in the Markdown: all (default), alt or none").choices([
        "all",
        "alt",
        "none",
      ]),
    )
    .option("--link-titles", "write the titles of links and images")
    .option("--first-heading <level>", "level of the first heading, 1 to 6", parseWhole(1))
    .option("--heading-anchors", "write the id of a heading behind it, as {#id}")
    .option("--front-matter", "start the Markdown with title, URL and dates as YAML")
    .option("--budget <tokens>", "most tokens of the Markdown of a page, 50 or more", parseWhole(1))
    .option(
      "--chunks <tokens>",
      "with --json, also chunks of at most so many tokens",
      parseWhole(1),
    )
    .option(
      "--chunk-overlap <tokens>",
      "tokens that a chunk repeats of the last one",
      parseWhole(0),
    );
}

/** Adds the options of how a page is fetched. */
export function addFetchOptions(command: Command): Command {
  return command
    .option(
      "--max-age <ms>",
      "maximum age of a cached copy in milliseconds; 0 fetches",
      parseWhole(0),
    )
    .option(
      "--scroll [entries]",
      "load all entries of a page that grows, at most so many (1000)",
      parseWhole(1),
    )
    .option("--proxy <tier>", "basic, enhanced or auto")
    .addOption(ON_BLOCKED);
}
