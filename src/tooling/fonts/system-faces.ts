/** A face that a machine may have. */
export interface SystemFace {
	name: string;
	/** The package whose files the widths were read from. */
	debianPackage: string;
	regular: SystemStyle;
	bold: SystemStyle;
}

export interface SystemStyle {
	/** Full names and PostScript names: browsers know a local font by either. */
	names: readonly string[];
	/** Installed by its Debian package. */
	file: string;
	unitsPerEm: number;
	/** Widths of U+0020 to U+007E, in units, separated by spaces. */
	advances: string;
}

/**
 * The build fits these to the site's fonts (see fallback-fonts.ts); the build machine need not have
 * them.
 *
 * The advances are those of the glyphs of U+0020 to U+007E, without kerning, as read by harfbuzzjs
 * from the given packages (Debian 12). Liberation Sans has the widths of Arial and Helvetica.
 * tests/site/browser/appearance/fallback-fonts.test.ts proves the numbers: nothing shifts on a machine
 * with only one of them.
 */
export const systemFaces: readonly SystemFace[] = [
	{
		name: "Arial",
		debianPackage: "fonts-liberation",
		regular: {
			names: ["Arial", "ArialMT", "Liberation Sans", "LiberationSans", "Helvetica"],
			file: "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
			unitsPerEm: 2048,
			advances:
				"569 569 727 1139 1139 1821 1366 391 682 682 797 1196 569 682 569 569 1139 1139 1139 1139 1139 1139 1139 1139 1139 1139 569 569 1196 1196 1196 1139 2079 1366 1366 1479 1479 1366 1251 1593 1479 569 1024 1366 1139 1706 1479 1593 1366 1593 1479 1366 1251 1479 1366 1933 1366 1366 1251 569 569 569 961 1139 682 1139 1139 1024 1139 1139 569 1139 1139 455 455 1024 455 1706 1139 1139 1139 1139 682 1024 569 1139 1024 1479 1024 1024 1024 684 532 684 1196",
		},
		bold: {
			names: [
				"Arial Bold",
				"Arial-BoldMT",
				"Liberation Sans Bold",
				"LiberationSans-Bold",
				"Helvetica Bold",
				"Helvetica-Bold",
			],
			file: "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf",
			unitsPerEm: 2048,
			advances:
				"569 682 971 1139 1139 1821 1479 487 682 682 797 1196 569 682 569 569 1139 1139 1139 1139 1139 1139 1139 1139 1139 1139 682 682 1196 1196 1196 1251 1997 1479 1479 1479 1479 1366 1251 1593 1479 569 1139 1479 1251 1706 1479 1593 1366 1593 1479 1366 1251 1479 1366 1933 1366 1366 1251 682 569 682 1196 1139 682 1139 1251 1139 1251 1139 682 1251 1251 569 569 1139 569 1821 1251 1251 1251 1251 797 1139 682 1251 1139 1593 1139 1139 1024 797 573 797 1196",
		},
	},
	{
		name: "Roboto",
		debianPackage: "fonts-roboto-unhinted",
		regular: {
			names: ["Roboto", "Roboto-Regular"],
			file: "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
			unitsPerEm: 2048,
			advances:
				"508 528 656 1261 1151 1500 1274 358 701 713 882 1162 403 566 540 845 1151 1151 1151 1151 1151 1151 1151 1151 1151 1151 496 433 1041 1124 1071 968 1839 1336 1276 1333 1344 1164 1132 1395 1461 557 1130 1285 1103 1788 1461 1409 1292 1409 1262 1216 1222 1328 1304 1817 1284 1230 1227 543 841 543 856 924 633 1114 1150 1072 1155 1086 712 1150 1128 498 490 1038 498 1796 1131 1168 1150 1164 694 1057 670 1129 992 1539 1016 969 1016 693 500 693 1393",
		},
		bold: {
			names: ["Roboto Bold", "Roboto-Bold"],
			file: "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Bold.ttf",
			unitsPerEm: 2048,
			advances:
				"510 557 657 1221 1175 1512 1344 332 719 722 929 1118 501 795 596 766 1175 1175 1175 1175 1175 1175 1175 1175 1175 1175 578 537 1043 1172 1058 1020 1833 1379 1307 1341 1332 1152 1123 1395 1448 598 1144 1301 1109 1794 1447 1414 1322 1414 1307 1259 1267 1348 1339 1792 1302 1267 1242 570 865 570 896 915 678 1098 1153 1069 1155 1107 734 1170 1147 543 533 1094 543 1773 1147 1158 1153 1157 748 1054 692 1147 1036 1505 1043 1029 1043 677 519 677 1329",
		},
	},
	{
		name: "Noto",
		debianPackage: "fonts-noto-core",
		regular: {
			names: ["Noto Sans Regular", "Noto Sans", "NotoSans-Regular"],
			file: "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
			unitsPerEm: 1000,
			advances:
				"260 269 408 646 572 831 732 225 300 300 551 572 268 322 268 372 572 572 572 572 572 572 572 572 572 572 268 268 572 572 572 434 899 639 650 632 730 556 519 728 741 339 273 619 524 907 760 781 605 781 622 549 556 731 600 930 586 566 572 329 372 329 572 444 281 561 615 480 615 564 344 615 618 258 258 534 258 935 618 605 615 615 413 479 361 618 508 786 529 510 470 380 551 380 572",
		},
		bold: {
			names: ["Noto Sans Bold", "NotoSans-Bold"],
			file: "/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf",
			unitsPerEm: 1000,
			advances:
				"260 286 472 646 572 901 750 266 339 339 545 572 285 322 285 413 572 572 572 572 572 572 572 572 572 572 285 285 572 572 572 477 897 690 672 637 740 560 549 724 765 389 331 664 565 943 813 796 628 796 660 551 579 756 650 967 667 624 579 331 413 331 572 411 362 604 633 514 633 591 387 633 657 305 305 620 305 982 657 619 633 633 454 497 434 657 569 856 578 569 488 394 551 394 572",
		},
	},
	{
		name: "DejaVu",
		debianPackage: "fonts-dejavu-core",
		regular: {
			names: ["DejaVu Sans", "DejaVuSans"],
			file: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
			unitsPerEm: 2048,
			advances:
				"651 821 942 1716 1303 1946 1597 563 799 799 1024 1716 651 739 651 690 1303 1303 1303 1303 1303 1303 1303 1303 1303 1303 690 690 1716 1716 1716 1087 2048 1401 1405 1430 1577 1294 1178 1587 1540 604 604 1343 1141 1767 1532 1612 1235 1612 1423 1300 1251 1499 1401 2025 1403 1251 1403 799 690 799 1716 1024 1024 1255 1300 1126 1300 1260 721 1300 1298 569 569 1186 569 1995 1298 1253 1300 1300 842 1067 803 1298 1212 1675 1212 1212 1075 1303 690 1303 1716",
		},
		bold: {
			names: ["DejaVu Sans Bold", "DejaVuSans-Bold"],
			file: "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
			unitsPerEm: 2048,
			advances:
				"713 934 1067 1716 1425 2052 1786 627 936 936 1071 1716 778 850 778 748 1425 1425 1425 1425 1425 1425 1425 1425 1425 1425 819 819 1716 1716 1716 1188 2048 1585 1561 1503 1700 1399 1399 1681 1714 762 762 1587 1305 2038 1714 1741 1501 1741 1577 1475 1397 1663 1585 2259 1579 1483 1485 936 748 936 1716 1024 1024 1382 1466 1214 1466 1389 891 1466 1458 702 702 1362 702 2134 1458 1407 1466 1466 1010 1219 979 1458 1335 1892 1321 1335 1192 1458 748 1458 1716",
		},
	},
];
