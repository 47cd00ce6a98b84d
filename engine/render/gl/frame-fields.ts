/* Indices of the sprites' uniforms, imported as `FRAME`. Separate exports, so the build inlines them. */

export const clipX = 0; // clip units per CSS px
export const clipY = 1;
export const sphereX = 2; // center, in clip units
export const sphereY = 3;
export const parallaxX = 4; // see Picture, but y upward
export const parallaxY = 5;
export const pointerX = 6; // the point floats avoid, in clip units
export const pointerY = 7;
export const push = 8; // how strongly floats avoid the pointer
export const time = 9; // ticks since the epoch: see quads.ts
export const night = 10; // night, sunken, clarity: see Picture
export const sunken = 11;
export const clarity = 12;
export const radius = 13; // of the sphere, in clip units
export const salute = 14; // a salute's progress: see salute.ts
export const secondShare = 15; // share of the current second that has passed, for apart.ts
export const words = 16; // words to halfWidth: see WORD_BANDS
export const below = 17;
export const footer = 18;
export const halfWidth = 19;
export const length = 20;
