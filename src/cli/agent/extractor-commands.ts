// Commands of stored extractors, with options and examples.
import { Option } from "commander";
import type {
  ExtractorCommandOptions,
  LearnOptions,
  RunOptions,
  TestOptions,
} from "./extractor.ts";
import { toInvocation } from "../terminal/hint.ts";
import type { ProgramParts } from "../jobs/job-commands.ts";
import { collect, parseWhole } from "../option-values.ts";

const LEARN_EXAMPLES = `

Examples:
  quarry extractor learn https://shop.example/p/jacket --data '{"name": "Fjell Jacket", "price": "$184.00"}'
  quarry extractor learn https://shop.example/p/jacket https://shop.example/p/cap --data jacket.json --data cap.json --schema item.json
  quarry extractor learn https://shop.example/p/jacket --schema item.json --from rules

The id goes to standard output; fields that were not learned to standard error.`;

export function addExtractorCommands({ program, settings, choosesServer }: ProgramParts): void {
  const extractor = program
    .command("extractor")
    .description(
      "learn where the data of pages stands, and get it from other pages of the template",
    );

  choosesServer(extractor.command("learn [urls...]"))
    .description(
      "make an extractor from the values of one to five pages, by rules, or from a program",
    )
    .option(
      "--data <file-or-json>",
      "values of a page as a reader sees them, once for each URL",
      collect,
    )
    .option("--schema <file-or-json>", "JSON Schema with the types of the fields")
    .option("--prompt <text>", "what to extract, in plain language; needs a language model")
    .addOption(
      new Option("--from <who>", "without --data: source of the values").choices([
        "rules",
        "model",
      ]),
    )
    .option("--program <file-or-json>", "a program instead of pages")
    .option("--name <name>", "name of the extractor (the host of the first page)")
    .option("--relearn", "learn again when the pages have changed")
    .option("--json", "print the whole extractor as JSON")
    .addHelpText("after", toInvocation(LEARN_EXAMPLES))
    .action(async (urls: string[], options: LearnOptions) => {
      const { learnExtractor } = await import("./extractor.ts");
      await learnExtractor(settings(), urls, options);
    });

  choosesServer(extractor.command("run <id> <urls...>"))
    .description("print the data of pages, one line of JSON for each")
    .option(
      "--max-age <ms>",
      "maximum age of a cached copy in milliseconds; 0 fetches",
      parseWhole(0),
    )
    .option("--json", "print the whole answer, evidence included")
    .action(async (id: string, urls: string[], options: RunOptions) => {
      const { runExtractor } = await import("./extractor.ts");
      await runExtractor(settings(), id, urls, options);
    });

  choosesServer(extractor.command("show <id>"))
    .description("print the program and the health of an extractor")
    .option("--json", "print the whole extractor as JSON")
    .action(async (id: string, options: ExtractorCommandOptions) => {
      const { showExtractor } = await import("./extractor.ts");
      await showExtractor(settings(), id, options);
    });

  choosesServer(extractor.command("test <id> [urls...]"))
    .description("compare what an extractor gives with its examples, or with other pages")
    .option("--data <file-or-json>", "expected values of a page, once for each URL", collect)
    .option(
      "--max-age <ms>",
      "maximum age of a cached copy in milliseconds; 0 fetches",
      parseWhole(0),
    )
    .option("--json", "print the whole comparison as JSON")
    .action(async (id: string, urls: string[], options: TestOptions) => {
      const { testExtractor } = await import("./extractor.ts");
      await testExtractor(settings(), id, urls, options);
    });

  choosesServer(extractor.command("list"))
    .description("list extractors, newest first")
    .option("--json", "print them as JSON, one per line")
    .action(async (options: ExtractorCommandOptions) => {
      const { listExtractors } = await import("./extractor.ts");
      await listExtractors(settings(), options);
    });

  choosesServer(extractor.command("delete <id>"))
    .description("delete an extractor")
    .option("--json", "print the result as JSON")
    .action(async (id: string, options: ExtractorCommandOptions) => {
      const { deleteExtractor } = await import("./extractor.ts");
      await deleteExtractor(settings(), id, options);
    });
}
