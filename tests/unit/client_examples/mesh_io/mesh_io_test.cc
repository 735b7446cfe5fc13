// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/mesh_io.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/formats/obj_reader.h"
#include "client_examples/mesh_io/formats/ply_reader.h"

namespace warpyard::mesh_io {
namespace {

using ::testing::TempDir;

std::string WriteFile(const std::string& name, const std::string& contents) {
  const std::string path = TempDir() + name;
  std::ofstream(path, std::ios::binary) << contents;
  return path;
}

absl::StatusOr<Mesh> ReadObj(const std::string& contents) {
  return ReadMesh(WriteFile("parsed.obj", contents));
}

Mesh Tetrahedron() {
  return {{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.1}, false, {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}};
}

// A number in big-endian byte order.
template <class T>
std::string BigEndian(T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  std::reverse(bytes, bytes + sizeof(T));
  return {bytes, sizeof(T)};
}

// Expects an error that contains all the given parts.
void ExpectError(const absl::Status& status, const std::vector<std::string>& parts) {
  ASSERT_FALSE(status.ok());
  for (const std::string& part : parts) {
    EXPECT_NE(status.message().find(part), absl::string_view::npos)
        << part << " is not in: " << status.message();
  }
}

TEST(MeshIo, GivesBackWhatWasWritten) {
  for (const bool as_float : {false, true}) {
    Mesh mesh = Tetrahedron();
    if (as_float) mesh.positions.back() = 0.125;
    mesh.positions_are_float = as_float;
    const std::string path = TempDir() + "round_trip.ply";
    ASSERT_TRUE(WritePly(path, mesh).ok());
    const absl::StatusOr<Mesh> read = ReadMesh(path);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->positions, mesh.positions);
    EXPECT_EQ(read->positions_are_float, as_float);
    EXPECT_EQ(read->triangles, mesh.triangles);
  }
}

TEST(MeshIo, RefusesToWriteWhatItCouldNotRead) {
  Mesh mesh = Tetrahedron();
  mesh.triangles[4] = 4;
  ExpectError(WritePly(TempDir() + "bad.ply", mesh), {"bad.ply", "triangle 1", "vertex 4"});
  mesh = Tetrahedron();
  mesh.positions.pop_back();
  ExpectError(WritePly(TempDir() + "bad.ply", mesh), {"threes"});
  EXPECT_EQ(WritePly(TempDir() + "no/such/folder/a.ply", Tetrahedron()).code(),
            absl::StatusCode::kUnavailable);
}

TEST(MeshIo, ReadsAsciiPlyWithMoreThanItNeeds) {
  const absl::StatusOr<Primitive> mesh = ParsePly(
      "ply\r\nformat ascii 1.0\ncomment end_header is not here\nobj_info nothing\n"
      "element light 1\nproperty list ushort double beam\nproperty char on\n"
      "element vertex 5\nproperty uchar red\nproperty float z\nproperty float x\n"
      "property list uchar int neighbours\nproperty double y\n"
      "element face 2\nproperty int material\nproperty list uint8 float vertex_index\n"
      "element empty 7\nend_header\n"
      "2 0.5 1e400 1\n"
      "9 0.1 0 0 0.1\n9 0 1 2 3 4 0\n9 0 1 0 1\n9 0 0 1 77 1\n9 3 0 0 +2.5e-1\n\n"
      "5 4 0 1 2 3\n6 3 0\n1 4\n \n");
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  ASSERT_EQ(mesh->positions.size(), 15u);
  EXPECT_EQ(mesh->positions[1], 0.1);
  EXPECT_EQ(mesh->positions[2], static_cast<double>(0.1f)) << "a float property holds floats";
  EXPECT_EQ(mesh->positions[13], 0.25);
  EXPECT_EQ(mesh->triangles, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3, 0, 1, 4}));
}

TEST(MeshIo, ReadsBigEndianPlyWithFacesBeforeVertices) {
  std::string file =
      "ply\nformat binary_big_endian 1.0\nelement face 1\n"
      "property list int short vertex_indices\nproperty list uchar double weights\n"
      "element vertex 3\nproperty short x\nproperty float y\nproperty double z\n"
      "property uint32 id\nend_header\n";
  file += BigEndian(std::int32_t{3});
  for (const int corner : {2, 0, 1}) file += BigEndian(static_cast<std::int16_t>(corner));
  file += BigEndian(std::uint8_t{1}) + BigEndian(0.5);
  for (int i = 0; i < 3; ++i) {
    file += BigEndian(static_cast<std::int16_t>(-i)) + BigEndian(0.1f) + BigEndian(0.1 * i) +
            BigEndian(std::uint32_t{7});
  }
  const absl::StatusOr<Primitive> mesh = ParsePly(file);
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  const double y = static_cast<double>(0.1f);
  EXPECT_EQ(mesh->positions, (std::vector<double>{0, y, 0, -1, y, 0.1, -2, y, 0.2}));
  EXPECT_EQ(mesh->triangles, (std::vector<std::uint32_t>{2, 0, 1}));
}

TEST(MeshIo, KnowsWhenFloatsAreEnough) {
  const std::string faces = "f 1 2 3\n";
  absl::StatusOr<Mesh> mesh =
      ReadMesh(WriteFile("floats.obj", "v 0 0 0\nv 0.5 0 0\nv 0 3 0\n" + faces));
  ASSERT_TRUE(mesh.ok());
  EXPECT_TRUE(mesh->positions_are_float);
  mesh = ReadMesh(WriteFile("doubles.obj", "v 0 0 0\nv 0.1 0 0\nv 0 3 0\n" + faces));
  ASSERT_TRUE(mesh.ok());
  EXPECT_FALSE(mesh->positions_are_float);
  mesh = ReadMesh(WriteFile("huge.obj", "v 0 0 0\nv 1e300 0 0\nv 0 3 0\n" + faces));
  ASSERT_TRUE(mesh.ok());
  EXPECT_FALSE(mesh->positions_are_float);
}

TEST(MeshIo, ReadsAllFormsOfObj) {
  const absl::StatusOr<Mesh> mesh = ReadObj(
      "# comment\r\nmtllib a.mtl\no thing\nv 0 0 0 1.0\r\n  v\t1 0 0 0.5 0.5 0.5\nv 1 1 0 # here\n"
      "vt 0 0\nvn 0 0 1\ng a b\nusemtl m\ns off\n"
      "f 1 2 3 4\nv 0 1 0\nf 1/1 2/1 3/1\nf 1/1/1 2/1/1 3/1/1\nf 1//1 2//1 3//1\nf -1 -2 -4\n"
      "l 1 2\n\nf 1 2 5\nv 9 9 9");
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->positions.size(), 15u);
  EXPECT_EQ(mesh->triangles, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3, 0, 1, 2, 0, 1,
                                                         2, 0, 1, 2, 3, 2, 0, 0, 1, 4}));
}

TEST(MeshIo, SkipsTheByteOrderMarkOfAnObj) {
  const auto mesh = ReadObj("\xef\xbb\xbfv 9 9 9\nv 0 0 0\nv 4 0 0\nv 0 4 0\nf 2 3 4\n");
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->positions.size(), 12u);
  EXPECT_EQ(mesh->positions[0], 9);
  EXPECT_EQ(mesh->triangles, (std::vector<std::uint32_t>{1, 2, 3}));
}

TEST(MeshIo, TellsFramesOfDifferentMeshesApart) {
  Mesh end = Tetrahedron();
  const std::vector<std::string> paths = {"a.ply", "b.ply"};
  EXPECT_TRUE(CheckFrames(paths, Tetrahedron(), end).ok());
  end.triangles = {0, 1, 2, 0, 1, 3, 1, 2, 3, 2, 0, 3};
  ExpectError(CheckFrames(paths, Tetrahedron(), end),
              {"b.ply: the triangles differ from those of a.ply"});
  end.positions.resize(9);
  ExpectError(CheckFrames(paths, Tetrahedron(), end),
              {"b.ply: 3 vertices, expected 4 as in a.ply"});
}

TEST(MeshIo, NamesTheLineOfAnObjError) {
  const std::string start = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  ExpectError(ReadObj(start + "f 1 2\n").status(), {"line 4", "at least 3"});
  ExpectError(ReadObj(start + "f 1 2 0\n").status(), {"line 4", "\"0\"", "count from 1"});
  ExpectError(ReadObj(start + "f 1 2 4\n").status(), {"line 4", "vertex 4", "there are 3"});
  ExpectError(ReadObj(start + "f 1 2 -4\n").status(), {"line 4", "\"-4\""});
  ExpectError(ReadObj(start + "f 1 2 99999999999\n").status(), {"line 4"});
  ExpectError(ReadObj(start + "f 1 2 x\n").status(), {"line 4", "\"x\""});
  ExpectError(ReadObj(start + "v 1 2\n").status(), {"line 4", "x y z"});
  ExpectError(ReadObj(start + "v 1 2 nan\n").status(), {"line 4", "not finite"});
  ExpectError(ReadObj(start + "v 1 2 1e999\n").status(), {"line 4", "not finite"});
  ExpectError(ReadObj(start + "v 1 2 z\n").status(), {"line 4", "not a number"});
  ExpectError(ReadObj("f 1 2 3\n").status(), {"no vertex"});
  ExpectError(ReadObj("\n").status(), {"no vertex"});
}

TEST(MeshIo, NamesTheLineOfAPlyHeaderError) {
  const std::string begin = "ply\nformat ascii 1.0\n";
  ExpectError(ParsePly("ply\nformat binary_middle_endian 1.0\n").status(), {"line 2", "middle"});
  ExpectError(ParsePly("ply\nformat ascii 2.0\n").status(), {"line 2", "version"});
  ExpectError(ParsePly("ply\nelement vertex 0\nend_header\n").status(), {"line 3", "no format"});
  ExpectError(ParsePly(begin + "element vertex -1\n").status(), {"line 3", "NAME COUNT"});
  ExpectError(ParsePly(begin + "element vertex 99999999999999999999\n").status(), {"line 3"});
  ExpectError(ParsePly(begin + "element a 1\nelement a 1\n").status(), {"line 4", "second"});
  ExpectError(ParsePly(begin + "property float x\n").status(), {"line 3", "before"});
  ExpectError(ParsePly(begin + "element a 1\nproperty half x\n").status(), {"line 4", "half"});
  ExpectError(ParsePly(begin + "element a 1\nproperty list int\n").status(), {"line 4"});
  ExpectError(ParsePly(begin + "element a 1\nproperty int\n").status(), {"without a name"});
  ExpectError(ParsePly(begin + "bogus\n").status(), {"line 3", "bogus"});
  ExpectError(ParsePly(begin).status(), {"does not end"});
}

TEST(MeshIo, NamesTheElementOfAPlyError) {
  const std::string begin = "ply\nformat ascii 1.0\nelement vertex 3\n";
  const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
  const std::string face = "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  const std::string vertices = "0 0 0\n1 0 0\n0 1 0\n";
  const auto parse = [&](const std::string& rest) {
    return ParsePly(begin + xyz + face + rest).status();
  };
  EXPECT_TRUE(parse(vertices + "3 0 1 2\n").ok());
  ExpectError(parse(vertices + "3 0 1 3\n"), {"face 0", "vertex 3"});
  ExpectError(parse(vertices + "3 0 1 -1\n"), {"face 0", "-1"});
  ExpectError(parse(vertices + "3 0 1 1.5\n"), {"face 0", "1.5"});
  ExpectError(parse(vertices + "2 0 1\n"), {"face 0", "at least 3"});
  ExpectError(parse(vertices + "4000000000 0 1\n"), {"face 0", "impossible"});
  ExpectError(parse(vertices + "3 0 1\n"), {"face 0", "line 14", "too early"});
  ExpectError(parse(vertices + "3 0 1 2\n8\n"), {"line 14", "after the last element"});
  ExpectError(parse("0 0 0\n1 zero 0\n0 1 0\n3 0 1 2\n"), {"vertex 1", "line 11", "\"zero\""});
  ExpectError(parse("0 0 0\n1 inf 0\n0 1 0\n3 0 1 2\n"), {"vertex 1", "y is not finite"});
  ExpectError(ParsePly(begin + "property float x\nend_header\n").status(), {"x, y and z"});
  ExpectError(ParsePly(begin + "end_header\n").status(), {"x, y and z"});
  ExpectError(ParsePly(begin + xyz + "element face 1\nend_header\n" + vertices).status(),
              {"vertex_indices"});
  ExpectError(ParsePly("ply\nformat ascii 1.0\nend_header\n").status(), {"no vertices"});
}

TEST(MeshIo, BelievesNoCountThatTheFileCannotHold) {
  const std::string xyz = "property float x\nproperty float y\nproperty float z\nend_header\n";
  for (const std::string encoding : {"ascii", "binary_little_endian", "binary_big_endian"}) {
    for (const std::string count : {"2", "4000000000", "18446744073709551615"}) {
      const std::string file =
          "ply\nformat " + encoding + " 1.0\nelement vertex " + count + "\n" + xyz + "0 0 0\n";
      ExpectError(ParsePly(file).status(), {"too"});
    }
  }
}

TEST(MeshIo, NamesTheFileThatItCannotRead) {
  EXPECT_EQ(ReadMesh(TempDir() + "absent.ply").status().code(), absl::StatusCode::kNotFound);
  ExpectError(ReadMesh(TempDir() + "absent.ply").status(), {"absent.ply", "no such file"});
  ExpectError(ReadMesh(TempDir()).status(), {"not a regular file"});
  ExpectError(ReadMesh(WriteFile("empty.ply", "")).status(), {"empty.ply: the file is empty"});
  ExpectError(ReadMesh(WriteFile("mesh.txt", "hello")).status(), {"mesh.txt", "neither"});
  ExpectError(ReadMesh(WriteFile("bad.obj", "v 0 0\n")).status(), {"bad.obj: line 1"});
}

// Every prefix of a file is an error, not a crash and not a smaller mesh.
TEST(MeshIo, FindsEveryTruncation) {
  const std::string path = TempDir() + "whole.ply";
  ASSERT_TRUE(WritePly(path, Tetrahedron()).ok());
  std::ifstream stream(path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(stream)), {});
  ASSERT_TRUE(ParsePly(whole).ok());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(ParsePly(absl::string_view(whole).substr(0, size)).ok()) << size;
  }
}

// Changes, doubles or removes random bytes; ends with a mesh whose indices are in range or an
// error.
TEST(MeshIo, SurvivesRandomDamage) {
  const std::string ascii =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty double y\n"
      "property int z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
      "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  const std::string path = TempDir() + "whole.ply";
  ASSERT_TRUE(WritePly(path, Tetrahedron()).ok());
  std::ifstream stream(path, std::ios::binary);
  const std::string binary((std::istreambuf_iterator<char>(stream)), {});
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1 2//2 -1\nf 1 2 3 1 2 3\n";
  std::mt19937 random(1);
  int read = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string original = round % 3 == 0 ? ascii : round % 3 == 1 ? binary : obj;
    std::string damaged = original;
    for (std::uint32_t edits = 1 + random() % 4; edits > 0 && !damaged.empty(); --edits) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 4) {
        case 0:
          damaged[at] = static_cast<char>(random());
          break;
        case 1:
          damaged[at] = static_cast<char>('0' + random() % 10);
          break;
        case 2:
          damaged.erase(at, 1 + random() % 8);
          break;
        default:
          damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 16));
      }
    }
    if (original == obj) {
      const absl::StatusOr<ObjContents> contents = ParseObj(damaged);
      if (!contents.ok()) continue;
      for (const ObjCorner& corner : contents->corners) {
        ASSERT_LT(corner.position, contents->positions.size() / 3) << damaged;
      }
    } else {
      const absl::StatusOr<Primitive> primitive = ParsePly(damaged);
      if (!primitive.ok()) continue;
      ASSERT_TRUE(CheckPrimitive(*primitive).ok()) << damaged;
    }
    ++read;
  }
  EXPECT_GT(read, 100) << "the damage should leave some files readable";
}

// The files of the data set have little-endian doubles and big-endian floats.
TEST(MeshIo, ReadsTheSharedScenes) {
  const std::string root = std::string(WARPYARD_SHARED_DATA) + "/ccd/";
  if (!std::filesystem::exists(root)) GTEST_SKIP() << "no shared data in " << root;
  const absl::StatusOr<Mesh> rollers = ReadMesh(root + "armadillo-rollers/frames/326.ply");
  ASSERT_TRUE(rollers.ok()) << rollers.status();
  EXPECT_EQ(rollers->positions.size(), 3u * 12'135);
  EXPECT_EQ(rollers->triangles.size(), 3u * 24'242);
  EXPECT_FALSE(rollers->positions_are_float);
  const absl::StatusOr<Mesh> cloth = ReadMesh(root + "cloth-ball/frames/cloth_ball92.ply");
  ASSERT_TRUE(cloth.ok()) << cloth.status();
  EXPECT_EQ(cloth->positions.size(), 3u * 46'598);
  EXPECT_EQ(cloth->triangles.size(), 3u * 92'230);
  EXPECT_TRUE(cloth->positions_are_float);
}

}  // namespace
}  // namespace warpyard::mesh_io
