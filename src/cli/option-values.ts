import { InvalidArgumentError, Option } from "commander";

/** Collects an option that may be repeated. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** Parses a whole number of at least `min`; commander adds the option's name to the error. */
export const whole =
  (min: number) =>
  (value: string): number => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!Number.isSafeInteger(number) || number < min)
      throw new InvalidArgumentError(`It must be a whole number of at least ${min}.`);
    return number;
  };

/** Like `whole`, or "none" for no limit (commander treats null as missing). */
export const wholeOrNone =
  (min: number) =>
  (value: string): number | "none" => {
    if (value === "none") return value;
    try {
      return whole(min)(value);
    } catch {
      throw new InvalidArgumentError(`It must be a whole number of at least ${min}, or none.`);
    }
  };

export const ON_BLOCKED = new Option(
  "--on-blocked <what>",
  "text of a bot check or login page: empty (default) or return",
).choices(["empty", "return"]);
