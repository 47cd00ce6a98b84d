/** The base cost of any page that requests every frame. */
export function start(canvas) {
	const context = canvas.getContext("2d");
	function frame() {
		context.clearRect(0, 0, canvas.width, canvas.height);
		requestAnimationFrame(frame);
	}
	frame();
}
