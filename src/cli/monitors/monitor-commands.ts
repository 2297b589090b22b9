// Commands of monitors, with options and examples.
import { toInvocation } from "../terminal/hint.ts";
import type { ProgramParts } from "../jobs/job-commands.ts";
import type {
  AddOptions,
  ImportOptions,
  ListChecksOptions,
  MonitorCommandOptions,
  PauseOptions,
} from "./monitor.ts";
import { collect, parseWhole } from "../option-values.ts";

const ADD_EXAMPLES = `

Examples:
  quarry monitor add https://shop.example/lamp --every 15m --selector .price --when '< 20' --notify ntfy:https://ntfy.sh/my-topic
  quarry monitor add https://town.example --crawl --every 'daily at 9:30' --timezone Europe/Berlin --notify mailto:me@example.com
  quarry monitor add https://town.example/jobs --every 1h --goal 'new jobs for gardeners' --dry-run

--when: '< 20', '> 20' or '~ 5%' for the first number, 'Price < 20' for the first one after a text, 'added TEXT', 'removed TEXT',
'appears TEXT', 'disappears TEXT', title, status, redirect, new-urls.
--notify: mailto:ADDRESS, slack:URL, discord:URL, teams:URL, mattermost:URL, ntfy:URL, apprise:URL, a URL for a signed webhook, or a
channel as JSON.`;

export function addMonitorCommands({ program, settings, choosesServer }: ProgramParts): void {
  const monitor = program
    .command("monitor")
    .description("check pages on a schedule and be told when they change");

  choosesServer(monitor.command("add <urls...>"))
    .description("make a monitor; prints its id")
    .option("--every <interval>", "15m, 2h, 1d, or words such as 'daily at 9:30'")
    .option("--cron <fields>", "five cron fields instead")
    .option("--timezone <name>", "time zone of the schedule (UTC)")
    .option("--name <name>", "name of the monitor (host and path of the first page)")
    .option("--selector <css>", "only this part of the pages; may be repeated", collect)
    .option(
      "--when <condition>",
      "changes that notify; may be repeated, any of them is enough",
      collect,
    )
    .option("--notify <channel>", "where to; may be repeated", collect)
    .option("--goal <text>", "what matters, in plain language")
    .option("--crawl", "watch the whole site of the URL")
    .option("--dry-run", "print the next runs and the credits of a month, and save nothing")
    .option("--json", "print the whole monitor as JSON")
    .addHelpText("after", toInvocation(ADD_EXAMPLES))
    .action(async (urls: string[], options: AddOptions) => {
      const { addMonitor } = await import("./monitor.ts");
      await addMonitor(settings(), urls, options);
    });

  choosesServer(monitor.command("import <file>"))
    .description(
      "make monitors of a list: an unpacked backup of changedetection.io, YAML of urlwatch, or URLs",
    )
    .option("--every <interval>", "interval of entries without one (1h)")
    .option("--notify <channel>", "where to; may be repeated", collect)
    .option("--dry-run", "print what would be imported, and save nothing")
    .option("--json", "print the result as JSON")
    .action(async (file: string, options: ImportOptions) => {
      const { importMonitors } = await import("./monitor.ts");
      await importMonitors(settings(), file, options);
    });

  choosesServer(monitor.command("list"))
    .description(
      "list monitors, newest first: id, state, schedule, last check, what it found, name",
    )
    .option("--json", "print them as JSON, one per line")
    .action(async (options: MonitorCommandOptions) => {
      const { listMonitors } = await import("./monitor.ts");
      await listMonitors(settings(), options);
    });

  choosesServer(monitor.command("run <id>"))
    .description("run a check now and print what changed")
    .option("--json", "print the whole check as JSON")
    .action(async (id: string, options: MonitorCommandOptions) => {
      const { runMonitor } = await import("./monitor.ts");
      await runMonitor(settings(), id, options);
    });

  choosesServer(monitor.command("checks <id>"))
    .description("list the checks of a monitor, newest first")
    .option("--limit <number>", "maximum checks, 1 to 100", parseWhole(1))
    .option("--status <status>", "only checks with this status, such as completed or failed")
    .option("--json", "print them as JSON, one per line")
    .action(async (id: string, options: ListChecksOptions) => {
      const { listChecks } = await import("./monitor.ts");
      await listChecks(settings(), id, options);
    });

  choosesServer(monitor.command("diff <id> [check]"))
    .description("print what a check found; without one the newest change")
    .option("--json", "print the whole check as JSON")
    .action(async (id: string, check: string | undefined, options: MonitorCommandOptions) => {
      const { showDiff } = await import("./monitor.ts");
      await showDiff(settings(), id, check, options);
    });

  choosesServer(monitor.command("pause <id>"))
    .description("stop the scheduled checks of a monitor")
    .option("--until <time>", "only until then, such as 2026-12-24T08:00Z")
    .option("--resume", "let them run again")
    .option("--json", "print the whole monitor as JSON")
    .action(async (id: string, options: PauseOptions) => {
      const { pauseMonitor } = await import("./monitor.ts");
      await pauseMonitor(settings(), id, options);
    });

  choosesServer(monitor.command("test <id> [channel]"))
    .description("send a test notification and print how each channel answered")
    .option("--json", "print the answers as JSON")
    .action(async (id: string, channel: string | undefined, options: MonitorCommandOptions) => {
      const { testMonitor } = await import("./monitor.ts");
      await testMonitor(settings(), id, channel, options);
    });

  choosesServer(monitor.command("delete <id>"))
    .description("delete a monitor with its checks")
    .option("--json", "print the result as JSON")
    .action(async (id: string, options: MonitorCommandOptions) => {
      const { deleteMonitor } = await import("./monitor.ts");
      await deleteMonitor(settings(), id, options);
    });
}
