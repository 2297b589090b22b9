/** A typical recipe schema: names, types and a note on units, nothing about any site. */
export const RECIPE_SCHEMA = {
  type: "object",
  title: "Recipe",
  properties: {
    title: { type: "string", description: "Name of the dish" },
    author: { type: "string", description: "Who wrote the recipe" },
    site_name: { type: "string", description: "Name of the web site" },
    language: { type: "string", description: "Language code of the page" },
    image: { type: "string", format: "uri", description: "Picture of the dish" },
    ingredients: { type: "array", items: { type: "string" } },
    instructions: { type: "array", items: { type: "string" }, description: "One entry per step" },
    yields: { type: "string", description: "How much it makes", examples: ["4 servings"] },
    total_time: { type: "integer", description: "Total time in minutes" },
    prep_time: { type: "integer", description: "Preparation time in minutes" },
    cook_time: { type: "integer", description: "Cooking time in minutes" },
  },
  required: ["title", "ingredients", "instructions"],
};
