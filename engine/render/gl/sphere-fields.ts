/* Indices of the sphere's and sky's uniforms, imported as `SPHERE`. 0 to 15 are the camera's matrix. */

export const phase = 16; // radians, 0 to 2π per loop
export const swell = 17; // swell, night, sunken: see Picture
export const night = 18;
export const sunken = 19;
export const parallaxX = 20; // see Picture, but y upward
export const parallaxY = 21;
export const turnX = 22; // cosine of the silk's turn
export const turnY = 23; // sine of the silk's turn
export const flash = 24; // see flash.ts
export const flashX = 25; // x of the latest burst, in radii
export const length = 28;
