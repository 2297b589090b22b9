// Property tests use the same cases in every run, so that failures come from changes and not by
// chance. New cases: FAST_CHECK_SEED=random, or a number from a failure.
import fc from "fast-check";

const FIXED_SEED = 20_261_121;

function seedOf(given: string | undefined): number {
  if (given === undefined || given === "") return FIXED_SEED;
  if (given === "random") return Math.trunc(Math.random() * 0x7f_ff_ff_ff);
  const seed = Number(given);
  if (!Number.isInteger(seed))
    throw new Error(`FAST_CHECK_SEED is ${given}; it may be a whole number or "random"`);
  return seed;
}

fc.configureGlobal({ seed: seedOf(process.env["FAST_CHECK_SEED"]) });
