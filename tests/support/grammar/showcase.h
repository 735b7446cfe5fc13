// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A grammar that uses all operators, for tests that compare results of different runs.
#ifndef WARPYARD_TESTS_SUPPORT_GRAMMAR_SHOWCASE_H_
#define WARPYARD_TESTS_SUPPORT_GRAMMAR_SHOWCASE_H_

namespace warpyard::test_support {

inline constexpr char kShowcase[] = R"(wyg 1;
stage layout, mass, build;
attr floor_h = 3.1 in [2..5];
attr trees = 6 in [0..100];
const quarter = 0.25;
fn half(x) = x / 2;
style tall { floor_h = 4; }
mesh lamp(40, 20);
start Lot;
@building rule Lot : layout = report(area, area) split(x) {
    1.5 : Hedge | ~1 : split(z) { '0.2 : Yard | ~1 : House | 4 : nil } | 1.5 : Hedge };
rule Hedge : mass = color(0.2, 0.6, 0.2) scatter(trees, 0.8) { size(0, rand(1, 3), 0) cyl(green) };
rule Yard : mass = volume(yard, hidden) offset(0.5) { edge : box(stone) | inside : Lamps };
rule Lamps : build = copies(4) { translate(i * half(sx) / 2, 0, 0) pivot(0.5, 0, 0.5)
    rotate(0, 30 * i, 0) inst(lamp, iron) };
rule House : mass = snap(y, floor_h, 0.5) size(0, 3 * floor_h, 0) volume(house, opaque)
    [ Walls ] translate(0, sy, 0) size(0, 2, 0)
    { 30% : Top(0) | 30% : Top(1) | 20% : Top(2) | else : Top(3) };
rule Top(kind) : build = { when kind == 0 : roof(gable, 35, 0.4) { plane : Tiles | gable : prism(wall) }
    | when kind == 1 : roof(hip, 30) { plane : Tiles | hip : tri(tiles) }
    | when kind == 2 : roof(pyramid, 40) { hip : tri(tiles) }
    | else : roof(shed, 12, 0.2) { plane : Tiles | gable : tri(wall) } };
rule Tiles : build = repeat(y, 0.7) { quad(tiles) extrude(0.05) box(tiles) };
rule Walls : build = comp { front : Front | side : Wall | bottom : quad(floor) };
@lod(2) @threads(8) rule Wall : build = repeat(y, floor_h, snap) { split(x) { 0.5 : box(pier)
    | (1.6 : Window | 0.7 : quad(wall))* | 0.5 : mirror(x) box(pier) } };
rule Front : build = let w = clamp(sx * quarter, 1, 3) split(x) { ~1 : Wall
    | w : inst(box, door) center(x, y) | ~1 : mirror(x) Wall };
rule Window : build = { when inside(house) || overlaps(yard) : nil
    | when near(yard) < 3 && touches(yard) : quad(blind)
    | else : report(glass, sx * sy) border(0.1) { edge : extrude(0.2) box(frame)
        | inside : pitch(sin(30 * i)) align quad(glass) } };
)";

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_GRAMMAR_SHOWCASE_H_
