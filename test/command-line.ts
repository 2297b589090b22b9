// The command line: `bin/quarry.mjs` in a child process as a user runs it, and commands in the
// process of the tests, which take a fifth of the CPU.
import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import { runProgram } from "../src/cli/program.ts";

const program = path.resolve(import.meta.dirname, "../bin/quarry.mjs");

export type Outcome = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type Environment = Readonly<Record<string, string>>;

const { PATH = "", HOME = "" } = process.env;
const BASE_ENVIRONMENT: Environment = {
  PATH,
  HOME,
  NO_COLOR: "1",
  QUARRY_WORKER_THREADS: "1",
  // The npm browser would be unpacked into each data folder.
  QUARRY_BROWSER: "none",
};

function start(
  words: readonly string[],
  environment: Environment,
  stdin: "ignore" | "pipe" = "ignore",
  launcher = program,
): ChildProcess {
  return spawn(process.execPath, [launcher, ...words], {
    stdio: [stdin, "pipe", "pipe"],
    env: { ...BASE_ENVIRONMENT, ...environment },
  });
}

/** Runs one command to its end in a process of its own, by `launcher` if the program is elsewhere. */
export async function spawnCommand(
  words: readonly string[],
  environment: Environment,
  launcher?: string,
): Promise<Outcome> {
  return await finish(start(words, environment, "ignore", launcher), () => undefined);
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs one command to its end in this process, after those before it: arguments, environment,
 * output and exit code belong to the whole process.
 */
export function run(words: readonly string[], environment: Environment): Promise<Outcome> {
  const outcome = last.then(() => runHere(words, { ...BASE_ENVIRONMENT, ...environment }));
  last = outcome.catch(() => undefined);
  return outcome;
}

async function runHere(words: readonly string[], environment: Environment): Promise<Outcome> {
  const { argv, exitCode } = process;
  const inherited = { ...process.env };
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  try {
    setEnvironment(environment);
    process.argv = [process.execPath, program, ...words];
    process.exitCode = undefined;
    await runProgram(process.argv);
    const code = Number(process.exitCode ?? 0);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.release();
    stderr.release();
    process.argv = argv;
    process.exitCode = exitCode;
    setEnvironment(inherited);
  }
}

function setEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
}

/** Keeps what is written to a stream instead of writing it. */
function capture(stream: NodeJS.WriteStream): {
  readonly text: () => string;
  readonly release: () => void;
} {
  const before = Object.getOwnPropertyDescriptor(stream, "write");
  const listeners = stream.listeners("error");
  const chunks: Buffer[] = [];
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as string));
    const done = rest.at(-1);
    if (typeof done === "function") process.nextTick(done as () => void);
    return true;
  }) as typeof stream.write;
  return {
    text: () => Buffer.concat(chunks).toString("utf8"),
    release: () => {
      if (before === undefined) Reflect.deleteProperty(stream, "write");
      else Object.defineProperty(stream, "write", before);
      for (const listener of stream.listeners("error"))
        if (!listeners.includes(listener)) stream.off("error", listener as (error: Error) => void);
    },
  };
}

/** Runs one command to its end with this text on standard input. */
export async function runWith(
  input: string,
  words: readonly string[],
  environment: Environment,
): Promise<Outcome> {
  const child = start(words, environment, "pipe");
  child.stdin?.end(input);
  return await finish(child, () => undefined);
}

/** Runs one command and sends SIGINT when `isTime` settles. */
export async function runUntil(
  isTime: Promise<unknown>,
  words: readonly string[],
  environment: Environment,
): Promise<Outcome> {
  const child = start(words, environment);
  const finished = finish(child, () => undefined);
  await Promise.race([isTime, finished]);
  child.kill("SIGINT");
  return await finished;
}

/** Runs one command and sends SIGINT when it has printed this on standard error. */
export async function runUntilSaid(
  said: RegExp,
  words: readonly string[],
  environment: Environment,
): Promise<Outcome> {
  const child = start(words, environment);
  let stderr = "";
  const isTime = new Promise<void>((resolve) => {
    child.stderr?.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
      if (said.test(stderr)) resolve();
    });
  });
  const finished = finish(child, () => undefined);
  await Promise.race([isTime, finished]);
  child.kill("SIGINT");
  return await finished;
}

/** Starts `serve` and sends SIGINT once `isTime`, which is polled with the output so far. */
export async function interrupt(
  environment: Environment,
  isTime: (stdout: string) => Promise<boolean>,
  ...words: string[]
): Promise<Outcome> {
  const child = start(["serve", "--port", "0", ...words], environment);
  let printed = "";
  const finished = finish(child, (stdout) => (printed = stdout));
  while (child.exitCode === null && !(await isTime(printed)))
    await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill("SIGINT");
  return await finished;
}

async function finish(child: ChildProcess, look: (stdout: string) => void): Promise<Outcome> {
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk: Buffer) => look((stdout += chunk.toString())));
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { code, stdout, stderr };
}

export type ServingProcess = {
  readonly url: string;
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Sends the signal once and resolves with the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
};

/** Starts `serve` and resolves after its startup output. The caller stops it. */
export async function serve(environment: Environment, ...words: string[]): Promise<ServingProcess> {
  return await serveUntil(/^Ready\.$/m, environment, ...words);
}

/** Starts `serve` of a built package and resolves when it is ready. The caller stops it. */
export async function serveBy(launcher: string, environment: Environment): Promise<ServingProcess> {
  return await watchServer(
    start(["serve", "--port", "0"], environment, "ignore", launcher),
    /^Ready\.$/m,
  );
}

/** Starts `serve` and resolves when it has printed this; its URL is the first one printed. */
export async function serveUntil(
  printed: RegExp,
  environment: Environment,
  ...words: string[]
): Promise<ServingProcess> {
  return await watchServer(start(["serve", "--port", "0", ...words], environment), printed);
}

async function watchServer(child: ChildProcess, printed: RegExp): Promise<ServingProcess> {
  let stdout = "";
  let stderr = "";
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const said = new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      if (printed.test(stdout)) resolve();
    });
  });
  await Promise.race([said, ended]);
  const url = /listens on (http:\/\/\S+)/.exec(stdout)?.[1];
  if (url === undefined || child.exitCode !== null)
    throw new Error(`serve ended with ${child.exitCode}: ${stdout}${stderr}`);
  return {
    url,
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode === null) child.kill(signal);
      return await ended;
    },
  };
}
