// Console semantics for code: top-level names persist and may be redeclared, `return` is allowed.
import { parse, type Program } from "acorn";

const OPTIONS = {
  ecmaVersion: "latest",
  sourceType: "script",
  allowAwaitOutsideFunction: true,
} as const;

type Edit = { readonly at: number; readonly remove: number; readonly insert: string };

/**
 * Rewrites code so that its top-level `let`, `const` and `class` names persist when it is evaluated
 * as a script. Throws SyntaxError with line and column. Code with a `return` outside functions is
 * wrapped in one, so its names do not persist.
 */
export function keepTopLevelNames(code: string): string {
  let program: Program;
  try {
    program = parse(code, OPTIONS);
  } catch (error) {
    if (!parses(code)) throw toSyntaxError(error);
    return `await (async () => {\n${code}\n})()`;
  }
  return apply(code, listEdits(program));
}

function parses(code: string): boolean {
  try {
    parse(code, { ...OPTIONS, allowReturnOutsideFunction: true });
    return true;
  } catch {
    return false;
  }
}

function toSyntaxError(error: unknown): SyntaxError {
  if (error instanceof RangeError) return new SyntaxError("The code is nested too deeply.");
  const message = error instanceof Error ? error.message : String(error);
  const advice = message.includes("'import' and 'export'") ? "; modules cannot be loaded here" : "";
  return new SyntaxError(`${message}${advice}`);
}

function listEdits(program: Program): Edit[] {
  const edits: Edit[] = [];
  for (const statement of program.body) {
    if (statement.type === "ClassDeclaration") {
      edits.push({ at: statement.start, remove: 0, insert: `var ${statement.id.name} = ` });
      edits.push({ at: statement.end, remove: 0, insert: ";" });
    } else if (
      statement.type === "VariableDeclaration" &&
      (statement.kind === "let" || statement.kind === "const")
    ) {
      edits.push({ at: statement.start, remove: statement.kind.length, insert: "var" });
      // `let x;` resets an existing name to undefined; `var x;` does not.
      for (const { id, init } of statement.declarations)
        if (init === undefined || init === null)
          edits.push({ at: id.end, remove: 0, insert: " = undefined" });
    }
  }
  return edits;
}

function apply(code: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { at, remove, insert } of edits) {
    parts.push(code.slice(from, at), insert);
    from = at + remove;
  }
  parts.push(code.slice(from));
  return parts.join("");
}
