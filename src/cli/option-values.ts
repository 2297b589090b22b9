import { InvalidArgumentError, Option } from "commander";

/** For options that may be repeated. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** A whole number of at least `min`; commander names the option in front of the text. */
export const whole =
  (min: number) =>
  (value: string): number => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!Number.isSafeInteger(number) || number < min)
      throw new InvalidArgumentError(`It must be a whole number of at least ${min}.`);
    return number;
  };

export const ON_BLOCKED = new Option(
  "--on-blocked <what>",
  "text of a bot check or login page: empty (default) or return",
).choices(["empty", "return"]);
