export { ATLAS, atlasCellAt } from "../../../engine/render/atlas.ts";
export { emojiOf } from "../../../engine/render/emoji.ts";
export { createSimulation, FIELD, STRIDE, seek } from "../../../engine/simulation/index.ts";
