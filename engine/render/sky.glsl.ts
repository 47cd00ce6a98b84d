/**
 * The sky: the style sheet's gradients (`.morning` and `.night` in stage.css), so that the canvas can
 * be opaque. Where a canvas lets the page's sky shine through, every frame is put together from more
 * layers as large as the window, which costs a machine without a GPU most of its time.
 */
export const skyAt = /* glsl */ `
// What is left of a light at this distance from its middle, in its radii.
float glow(vec2 at, vec2 middle, vec2 radius) {
	return max(0.0, 1.0 - length((at - middle) / radius));
}

vec3 skyAt(vec4 place, float night) {
	// From 0, 0 at the top left to 1, 1.
	vec2 at = vec2(0.5, -0.5) * place.xy + 0.5;
	vec3 morning = mix(vec3(0.937, 0.898, 0.992), vec3(0.965, 0.902, 0.969), clamp(at.y / 0.38, 0.0, 1.0));
	morning = mix(morning, vec3(0.988, 0.910, 0.918), clamp((at.y - 0.38) / 0.28, 0.0, 1.0));
	morning = mix(morning, vec3(0.996, 0.929, 0.855), clamp((at.y - 0.66) / 0.34, 0.0, 1.0));
	morning = mix(morning, vec3(0.839, 0.871, 1.0), 0.85 * glow(at, vec2(0.96, 0.04), vec2(0.52, 0.44)));
	morning = mix(morning, vec3(1.0, 0.871, 0.698), 0.8 * glow(at, vec2(0.08, 0.96), vec2(0.44, 0.40)));
	morning = mix(morning, vec3(1.0, 0.804, 0.910), 0.75 * glow(at, vec2(0.5), vec2(0.60, 0.46)));

	vec3 dark = mix(vec3(0.039, 0.024, 0.094), vec3(0.090, 0.043, 0.192), clamp(at.y / 0.52, 0.0, 1.0));
	dark = mix(dark, vec3(0.204, 0.071, 0.325), clamp((at.y - 0.52) / 0.34, 0.0, 1.0));
	dark = mix(dark, vec3(0.290, 0.090, 0.400), clamp((at.y - 0.86) / 0.14, 0.0, 1.0));
	// Two stops of one light: style sheets mix them with their opacity already in them.
	float light = glow(at, vec2(0.5, 1.0), vec2(0.64, 0.52));
	vec4 outer = vec4(0.478, 0.173, 0.588, 1.0) * 0.4;
	vec4 inner = vec4(0.729, 0.275, 0.745, 1.0) * 0.78;
	vec4 dusk = mix(outer * clamp(light / 0.55, 0.0, 1.0), inner, clamp((light - 0.55) / 0.45, 0.0, 1.0));
	dark = dark * (1.0 - dusk.a) + dusk.rgb;

	return mix(morning, dark, night);
}
`;
