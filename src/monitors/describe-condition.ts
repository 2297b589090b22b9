import type { Condition } from "../contract/jobs/monitor-rules.ts";

/** Says in words when a condition is met: "Price is below 15". */
export function describeCondition(condition: Condition): string {
  switch (condition.type) {
    case "textAppears":
      return `"${condition.text}" appears`;
    case "textDisappears":
      return `"${condition.text}" disappears`;
    case "textAdded":
      return `"${condition.text}" was added`;
    case "textRemoved":
      return `"${condition.text}" was removed`;
    case "numberAbove":
      return `${nameNumber(condition)} is above ${condition.value}`;
    case "numberBelow":
      return `${nameNumber(condition)} is below ${condition.value}`;
    case "numberChangedByPercent":
      return `${nameNumber(condition)} changed by at least ${condition.value} %`;
    case "fieldChanged":
      return `${condition.field} changed`;
    case "fieldEquals":
      return `${condition.field} is ${JSON.stringify(condition.value)}`;
    case "statusChanged":
      return "the status changed";
    case "redirectChanged":
      return "the redirect changed";
    case "titleChanged":
      return "the title changed";
    case "newUrls":
      return "there are new URLs";
  }
}

type Named = { readonly field?: string | undefined; readonly near?: string | undefined };

const nameNumber = ({ field, near }: Named): string => field ?? near ?? "the number";
